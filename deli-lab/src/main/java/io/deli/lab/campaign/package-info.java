/**
 * A torture of millions of calls: client processes whose histories stream to a judge while faults
 * befall the cluster, for each cell of a matrix of strategies, maintenances and faults.
 *
 * <p>A {@link io.deli.lab.campaign.CampaignClient client process} writes each call into its {@link
 * io.deli.lab.campaign.HistoryFile history} before the request is sent, so that a client that is
 * killed leaves its open calls known: they failed, and may take effect. The {@link
 * io.deli.lab.campaign.StreamingJudge judge} follows the histories of all clients and judges up to
 * the oldest call in flight. All processes are of one machine, whose monotonic clock they share.
 */
package io.deli.lab.campaign;

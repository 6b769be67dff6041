import { setTimeout as sleep } from 'node:timers/promises';
import { broadcast, type ChainClient, receiptOf } from '#chains/evm/client.ts';
import type { ReplayContext } from '#chains/evm/embedded-nodes.ts';
import { chainFault } from '#chains/evm/fault.ts';
import { type Mined, recordMined } from '#chains/evm/sending/journal.ts';
import { listAbove } from '#chains/evm/sending/pending-store.ts';
import { replaceUsdc } from './genesis.ts';

const PAGE = 200;

/** Transactions of the start, which went to the test token; all others met the rules of the real one. */
const OF_THE_START = /^(deploy |grant role$)/;

/**
 * Gives a restored node what it has forgotten: every journalled transaction above its head, in the
 * order of signing. Same bytes, same hashes, same balances, because a legacy gas price does
 * not depend on the block. For a node of our own, whose blocks are final. Answers how many were sent
 * again.
 */
export async function replay(context: ReplayContext): Promise<number> {
  const { db, info, client, log, keys } = context;
  const head = Number(await client.getBlockNumber());
  let sent = 0;
  let isStarted = false;
  for (let afterId = 0; ; ) {
    const rows = await listAbove(db, info.chainId, head, { afterId, limit: PAGE });
    const receipts = await Promise.all(rows.map(({ hash }) => receiptOf(client, hash)));
    const mined: Mined[] = [];
    for (const [i, { hash, raw, transaction_id, purpose }] of rows.entries()) {
      const known = receipts[i];
      if (known) {
        mined.push({ transaction_id, receipt: known });
        continue;
      }
      if (!isStarted && !OF_THE_START.test(purpose)) {
        await replaceUsdc(client, keys);
        isStarted = true;
      }
      try {
        await broadcast(client, raw);
        sent += 1;
        const receipt = await waitBriefly(client, hash);
        if (receipt) mined.push({ transaction_id, receipt });
      } catch (error) {
        log.warn({ hash, err: chainFault(error) }, 'A journalled transaction was not taken again');
      }
    }
    if (mined.length > 0) await recordMined(db, mined, true);
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return sent;
    afterId = last.transaction_id;
  }
}

/** Where blocks are made on demand the receipt is there at once; elsewhere the monitor finds it. */
async function waitBriefly(client: ChainClient, hash: `0x${string}`) {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const receipt = await receiptOf(client, hash);
    if (receipt) return receipt;
    await sleep(5);
  }
  return undefined;
}

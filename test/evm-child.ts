/** A process of its own for crash tests: executes its argument until it is killed. */

import { createNetwork } from '#chains/evm/network.ts';
import { platformKeys } from '#chains/evm/port.ts';
import { openDatabase } from '#kernel/db/db.ts';
import { embeddedNodes } from '#sandbox/chains/evm/embedded-node.ts';

interface Orders {
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly mnemonic: string;
  /** Amoy's node; without it the child runs one. */
  readonly rpcUrl?: string;
  readonly to: `0x${string}`;
  readonly count: number;
}

const orders = JSON.parse(process.argv[2] ?? '{}') as Orders;
const { db } = openDatabase(orders.databaseUrl);
const log = { info() {}, warn: (_: object, text: string) => console.log(text), error() {} };
const { chains, keys } = createNetwork({
  db,
  log,
  keys: platformKeys(orders.mnemonic),
  dataDir: orders.dataDir,
  nodes: embeddedNodes,
  rpcUrls: { amoy: orders.rpcUrl },
});
const { sender } = chains.amoy;
console.log(await chains.amoy.url());
await Promise.all(
  Array.from({ length: orders.count }, (_, i) =>
    sender.execute({
      signer: keys.hot,
      to: orders.to,
      value: 1n,
      reference: `child:${i}`,
      purpose: 'test',
    }),
  ),
);
console.log('done');
// Stays until it is killed.
setInterval(() => undefined, 1_000);

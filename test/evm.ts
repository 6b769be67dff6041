import { createNetwork, type ManagedNetwork, type NetworkOptions } from '#chains/evm/network.ts';
import { platformKeys } from '#chains/evm/port.ts';
import { type OpenDatabase, openDatabase } from '#kernel/db/db.ts';
import { embeddedNodes } from '#sandbox/chains/evm/embedded-node.ts';
import { testDatabase } from './database.ts';
import { removeFolder } from './folders.ts';
import { runFolder } from './run-folder.ts';

/** Published words: for test chains only. */
export const TEST_MNEMONIC = 'test test test test test test test test test test test junk';

export const silentLog = { info() {}, warn() {}, error() {} };

export interface TestNetwork {
  readonly network: ManagedNetwork;
  readonly database: OpenDatabase;
  readonly databaseUrl: string;
  readonly dataDir: string;
  /** The same chains for a new process, as after a restart. */
  reopen(options?: Partial<NetworkOptions>): ManagedNetwork;
  /** Stops every node and removes database and folder. */
  close(): Promise<void>;
}

/** The monitor's interval for transactions without a receipt. */
const WATCH_MS = 1_000;

/**
 * Three embedded chains of the caller's own, none of them started yet. As in a service, transactions that a node has lost are sent again:
 * a node sometimes drops one, and all later ones of its sender wait for ever. A test with settings of its own
 * decides when that happens.
 */
export async function testNetwork(options: Partial<NetworkOptions> = {}): Promise<TestNetwork> {
  const dataDir = await runFolder();
  const { url, close } = await testDatabase();
  const database = openDatabase(url);
  const keys = platformKeys(TEST_MNEMONIC);
  const opened: ManagedNetwork[] = [];
  const open = (more: Partial<NetworkOptions> = {}) => {
    const base = { db: database.db, log: silentLog, keys, dataDir };
    const network = createNetwork({ nodes: embeddedNodes, ...base, ...options, ...more });
    opened.push(network);
    return network;
  };
  const network = open();
  if (options.settings === undefined) network.watch(WATCH_MS);
  return {
    network,
    database,
    databaseUrl: url,
    dataDir,
    reopen: open,
    async close() {
      await Promise.all(opened.map((network) => network.stop()));
      await database.close();
      await close();
      await removeFolder(dataDir);
    },
  };
}

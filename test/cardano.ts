import { expect } from 'vitest';
import { createCardanoNetwork } from '#chains/cardano/network.ts';
import type { ManagedCardano } from '#chains/cardano/port.ts';
import { type Db, run } from '#kernel/db/db.ts';
import { cardanoSandbox } from '#sandbox/chains/cardano/sandbox-controls.ts';
import { atEnd } from './at-end.ts';
import { silentLog, TEST_MNEMONIC } from './evm.ts';
import { blockfrostDocument, held } from './published.ts';
import { testSandbox } from './sandbox.ts';

export const ADA = 1_000_000n;
/** An address of the standard's own examples (CIP-19), whose keys do not exist here. */
export const ELSEWHERE =
  'addr_test1qz2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzer3n0d3vllmyqwsx5wktcd8cc3sq835lu7drv2xwl2wywfgs68faae';

const PROJECT = 'test-project';

/** The chain on its own: the adapter, and the sandbox's ledger over a database. */
export async function testCardano() {
  let url = '';
  let db: Db | undefined;
  const lazy = new Proxy({} as ManagedCardano, { get: (_, name) => Reflect.get(made(), name) });
  const ledger = cardanoSandbox({
    projectId: PROJECT,
    get db() {
      return db as Db;
    },
    cardano: lazy,
  });
  const simulator = held(ledger.simulator, blockfrostDocument());
  const sandbox = await testSandbox(simulator);
  atEnd(async () => expect(simulator.unpublished).toEqual([]));
  url = `${sandbox.url}/cardano`;
  db = sandbox.db;
  const open = (waiting: { readonly waitMs?: number; readonly confirmations?: number } = {}) =>
    createCardanoNetwork({
      db: sandbox.db as never,
      clock: sandbox.clock,
      log: silentLog as never,
      mnemonic: TEST_MNEMONIC,
      url: () => url,
      projectId: PROJECT,
      isSandbox: true,
      isConfigured: true,
      ...waiting,
    });
  const cardano = open();
  const made = () => cardano;
  return {
    ...sandbox,
    cardano,
    tap: ledger.tap,
    /** The same chain for a new process. */
    reopen: open,
    /** The states of the references' transactions, the latest of each first. */
    journalled: async (...references: string[]) => {
      const rows = await run<{ state: string }>(
        sandbox.db,
        'select state from cardano_transactions where reference = any($1) order by state, seq',
        [references],
      );
      return rows.map(({ state }) => state);
    },
    ask: (path: string, headers: Record<string, string> = { project_id: PROJECT }) =>
      fetch(`${url}${path}`, { headers }),
  };
}

import type { Address } from 'viem';
import { sweepCall } from '#chains/evm/contracts/port.ts';
import { type EvmChain, type ExecutedTransaction, mayHappen } from '#chains/evm/port.ts';
import { sendOnce } from '#features/chain-wallets/wallet-spending/wallet-spending.ts';
import type { Db } from '#kernel/db/db.ts';
import { defineEffect, type Effect } from '#kernel/effects/effect.ts';
import { fail } from '#kernel/error.ts';
import type { MarketDeps } from '../deps.ts';
import { endSweep, findSweep, hasNewTransfer, insertSweep, type Sweep } from './sweep-store.ts';

/** Moves plain transfers from a payment contract to the treasury. */
export interface Sweeps {
  readonly effect: Effect<Sweep, ExecutedTransaction>;
  /** In the transaction that counts such a transfer; does nothing while a sweep is in flight. */
  begin(tx: Db, chain: EvmChain, tokens: ReadonlySet<Address>): Promise<void>;
}

const MINUTE_MS = 60_000;

/** The contract's `sweep` is open to all; the hot wallet calls it and pays the gas. */
export function createSweeps(deps: Pick<MarketDeps, 'clock' | 'effects' | 'evm'>): Sweeps {
  const { clock, effects, evm } = deps;
  const effect = defineEffect<Sweep, ExecutedTransaction>({
    kind: 'marketplace-sweep',
    provider: 'evm',
    repeatable: true,
    pauses: { firstMs: MINUTE_MS, maxMs: 30 * MINUTE_MS },
    open: (db, id) => findSweep(db, Number(id)),
    names: ({ sweep_id }) => [referenceOf(sweep_id)],
    call({ sweep_id, chain_id, contract, token }, { permit }) {
      const { contracts } = evm.chains[chain_id];
      return sendOnce(
        evm.chains[chain_id],
        {
          signer: evm.keys.hot,
          ...sweepCall({ ...contracts, marketplace: contract }, token),
          reference: referenceOf(sweep_id),
          purpose: 'marketplace sweep',
          permit,
        },
        () => fail('INSUFFICIENT_FUNDS', 'The hot wallet has no coins for gas'),
      );
    },
    async settle(tx, sweep, { hash }) {
      await endSweep(tx, sweep.sweep_id, { hash }, clock.now());
      if (await hasNewTransfer(tx, sweep)) await begin(tx, sweep);
    },
    async refuse(tx, { sweep_id }, { message }) {
      if (await mayHappen(tx, referenceOf(sweep_id))) return false;
      await endSweep(tx, sweep_id, { failure: message }, clock.now());
      return true;
    },
  });

  async function begin(
    tx: Db,
    what: Pick<Sweep, 'chain_id' | 'contract' | 'token'>,
  ): Promise<void> {
    const id = await insertSweep(tx, what, clock.now());
    if (id !== undefined) await effects.begin(tx, effect, String(id), { left: {} });
  }

  return {
    effect,
    async begin(tx, { info, contracts }, tokens) {
      for (const token of tokens)
        await begin(tx, { chain_id: info.key, contract: contracts.marketplace, token });
    },
  };
}

const referenceOf = (sweep_id: number): string => `marketplace-sweep:${sweep_id}`;

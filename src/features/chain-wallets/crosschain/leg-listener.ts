import type { Db } from '#kernel/db/db.ts';
import type { CrosschainTransfer } from './store.ts';

/** A step of a transfer, as the activity log has it. */
export type CrosschainAction = `CROSSCHAIN_${string}`;

/** What is known of a step beside the leg: why it was refused. */
export type LegDetails = Readonly<Record<string, unknown>>;

/** Hears of the steps of legs. */
export interface LegListener {
  /** In the transaction of the step; it may post to the ledger. */
  moved(
    tx: Db,
    action: CrosschainAction,
    leg: CrosschainTransfer,
    details?: LegDetails,
  ): Promise<void>;
}

export interface LegHub extends LegListener {
  listen(listener: LegListener): void;
}

/** The listener is set by the bridge, which stands above this domain. */
export function createLegListener(): LegHub {
  let listener: LegListener | undefined;
  return {
    listen(given) {
      listener = given;
    },
    async moved(tx, action, leg, details) {
      if (!listener) throw new Error(`${leg.bridge_transfer} is carried, and nothing follows it`);
      await listener.moved(tx, action, leg, details);
    },
  };
}

import { type Static, Type } from 'typebox';

const Issued = Type.Object({
  currency: Type.String(),
  issuer: Type.String(),
  value: Type.String(),
});

/** `account_info`. */
export const AccountInfo = Type.Object({
  account_data: Type.Object({
    Balance: Type.String(),
    Flags: Type.Integer(),
    Sequence: Type.Integer(),
    RegularKey: Type.Optional(Type.String()),
  }),
  ledger_index: Type.Integer(),
});

/** `account_lines`, as far as we read it. */
export const AccountLines = Type.Object({
  lines: Type.Array(
    Type.Object({
      account: Type.String(),
      balance: Type.String(),
      currency: Type.String(),
      limit: Type.String(),
    }),
  ),
});

/** `ledger`. */
export const LedgerInfo = Type.Object({
  ledger_index: Type.Integer(),
  ledger: Type.Object({ close_time_iso: Type.String() }),
});

/** `fee`. */
export const FeeInfo = Type.Object({
  drops: Type.Object({ open_ledger_fee: Type.String() }),
});

export const Submitted = Type.Object({ engine_result: Type.String() });

/** A transaction with what it did, as `tx` and `account_tx` tell it. */
export const TxResult = Type.Object({
  hash: Type.String(),
  ledger_index: Type.Optional(Type.Integer()),
  validated: Type.Optional(Type.Boolean()),
  close_time_iso: Type.Optional(Type.String()),
  tx_json: Type.Object({
    Account: Type.String(),
    TransactionType: Type.String(),
    Destination: Type.Optional(Type.String()),
    DestinationTag: Type.Optional(Type.Integer()),
  }),
  meta: Type.Optional(
    Type.Object({
      TransactionResult: Type.String(),
      delivered_amount: Type.Optional(Type.Union([Type.String(), Issued])),
    }),
  ),
});
export type TxResult = Static<typeof TxResult>;

export const AccountTx = Type.Object({
  transactions: Type.Array(TxResult),
  marker: Type.Optional(Type.Unknown()),
});

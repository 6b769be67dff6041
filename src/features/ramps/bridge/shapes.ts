import { type Static, Type } from 'typebox';
import { namesShown } from '#kernel/http/declare/caller-names.ts';
import { named } from '#kernel/http/declare/named.ts';
import { objectIdField } from '#kernel/http/declare/object-id-field.ts';
import {
  explained,
  Nullable,
  oneOfWords,
  TextOrNull,
  Timestamp,
} from '#kernel/http/declare/schema.ts';
import { type Doubt, shownState, stateFields } from '#kernel/http/declare/state-fields.ts';
import { MoneyText } from '#kernel/money/amount-fields.ts';
import { format } from '#kernel/money/money.ts';
import { objectId } from '#kernel/object-id.ts';
import { BRIDGE_CHAINS, type BridgePlaces } from './places.ts';
import { carriedUnits } from './postings.ts';
import {
  BRIDGE_STATUSES,
  type BridgeStep,
  STEP_NAMES,
  STEP_STATES,
  type WholeBridgeTransfer,
} from './store.ts';

/** One of the chains that the bridge joins. */
export const BridgeChainField = oneOfWords(BRIDGE_CHAINS);

const StepBody = named('BridgeStep', {
  name: oneOfWords(STEP_NAMES),
  chain: BridgeChainField,
  state: oneOfWords(STEP_STATES),
  hash: explained(TextOrNull, 'Of its transaction'),
  block: Nullable(Type.Integer()),
  confirmations: explained(Type.Integer(), 'That were counted when it was last looked at'),
  needed: explained(Type.Integer(), 'From so many confirmations on it counts'),
  explorer_url: explained(TextOrNull, 'Where a person sees the transaction'),
  proof_url: explained(TextOrNull, 'Where this API shows it decoded, as the chain has it now'),
  at: Timestamp,
});

const AdvanceBody = named('BridgeAdvance', {
  reason: Type.String(),
  proposed_by: Type.Integer(),
  approved_by: Nullable(Type.Integer()),
});

export const ShownBridgeTransfer = named('BridgeTransfer', {
  bridge_transfer_id: objectIdField('brt'),
  rail: oneOfWords(['bridge']),
  quote_id: objectIdField('qte'),
  from_chain: BridgeChainField,
  to_chain: BridgeChainField,
  mode: Type.String(),
  currency: oneOfWords(['USDC']),
  amount: explained(MoneyText, 'What leaves the source, the fees among it'),
  received: explained(MoneyText, 'What arrives at the recipient'),
  fees: explained(MoneyText, 'Both fees together'),
  platform_fee: MoneyText,
  network_fee: MoneyText,
  source_address: Type.String(),
  recipient_address: Type.String(),
  recipient_tag: explained(
    Nullable(Type.Integer()),
    'Whose it is at that address, where its ledger knows tags; null without one',
  ),
  steps: explained(Type.Array(StepBody), 'What was done on each chain, in order'),
  delay_reason: explained(TextOrNull, 'Why it takes long, in words; null where it does not'),
  advance: explained(
    Nullable(AdvanceBody),
    'The operator’s decision to pay the source ahead of a mint that has not come',
  ),
  ...namesShown,
  ...stateFields(BRIDGE_STATUSES),
});

const usdc = (units: bigint): string => format({ asset: 'USDC', units });

const shownStep = (
  { name, chain, state, hash, block, confirmations, at }: BridgeStep,
  places: BridgePlaces,
): Static<typeof StepBody> => ({
  name,
  chain,
  state,
  hash,
  block,
  confirmations,
  needed: places.needed(chain),
  explorer_url: hash === null ? null : places.link(chain, hash),
  proof_url: hash === null ? null : `/networks/${chain}/transactions/${hash}`,
  at,
});

const SLOW = {
  BURNED: 'The burn is not attested yet',
  ATTESTED: 'The mint has not begun yet',
  MINTING: 'The mint has not arrived yet; it is asked for again until it has',
  SENDING: 'The payment to the recipient is not confirmed yet; it is waited for',
} as const;

function delayOf(
  { status, stalled_in, to_chain }: WholeBridgeTransfer,
  places: BridgePlaces,
): string | null {
  if (status !== 'STALLED' || stalled_in === null) return null;
  return `${SLOW[stalled_in as keyof typeof SLOW]} (${places.network(to_chain)})`;
}

/** A transfer as GET answers it. */
export function shownBridgeTransfer(
  row: WholeBridgeTransfer,
  places: BridgePlaces,
  doubt?: Doubt,
): Static<typeof ShownBridgeTransfer> {
  const { platform_fee, network_fee, names, advance_reason, advance_by, advanced_by } = row;
  return {
    bridge_transfer_id: row.object_id,
    rail: 'bridge',
    quote_id: objectId('qte', row.quote_id),
    from_chain: row.from_chain,
    to_chain: row.to_chain,
    mode: row.mode,
    currency: 'USDC',
    amount: usdc(row.amount),
    received: usdc(carriedUnits(row)),
    fees: usdc(platform_fee + network_fee),
    platform_fee: usdc(platform_fee),
    network_fee: usdc(network_fee),
    source_address: row.source_address,
    recipient_address: row.recipient_address,
    recipient_tag: row.recipient_tag,
    steps: row.steps.map((step) => shownStep(step, places)),
    delay_reason: delayOf(row, places),
    advance:
      advance_reason === null || advance_by === null
        ? null
        : { reason: advance_reason, proposed_by: advance_by, approved_by: advanced_by },
    reference: names.reference,
    metadata: names.metadata,
    ...shownState(row, { doubt, waits: row.status === 'STALLED' ? 'stalled' : undefined }),
  };
}

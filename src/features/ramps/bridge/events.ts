import type { Static } from 'typebox';
import { exampleChain } from '#chains/evm/port.ts';
import type { Db } from '#kernel/db/db.ts';
import { defineObject } from '#kernel/events/define-object.ts';
import { objectId } from '#kernel/object-id.ts';
import type { PaymentSource } from '#kernel/payments/payment-source.ts';
import type { BridgePlaces } from './places.ts';
import { ShownBridgeTransfer, shownBridgeTransfer } from './shapes.ts';
import { type BridgeRow, type WholeBridgeTransfer, withSteps } from './store.ts';

const AT = '2026-11-28T03:00:58.447Z';
const LATER = '2026-11-28T03:02:20.112Z';
const HASH = '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b';

/** Transfers over the bridge as payments. */
export const BRIDGE_PAYMENTS: PaymentSource = {
  view: 'payment_of_bridge_transfers',
  rail: 'bridge',
  key: { column: 'object_key', type: 'text' },
  names: ['burn_hash', 'send_hash'],
  href: (id) => `/bridge/transfers/${id}`,
};

type Shown = { readonly row: WholeBridgeTransfer; readonly places: BridgePlaces };

const EXAMPLE: Static<typeof ShownBridgeTransfer> = {
  bridge_transfer_id: objectId('brt', '019e4d6f-2a7b-7c31-9d52-8f4b6c1a7e33'),
  rail: 'bridge',
  quote_id: objectId('qte', '019e4d6f-2a7b-7c31-9d52-8f4b6c1a7e30'),
  from_chain: exampleChain().key,
  to_chain: exampleChain(1).key,
  mode: 'standard',
  currency: 'USDC',
  amount: '25.000000',
  received: '24.900000',
  fees: '0.100000',
  platform_fee: '0.100000',
  network_fee: '0.000000',
  source_address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  recipient_address: '0x52908400098527886E0F7030069857D2E4169EE7',
  recipient_tag: null,
  steps: [
    {
      name: 'burn',
      chain: exampleChain().key,
      state: 'DONE',
      hash: HASH,
      block: 7_214_408,
      confirmations: 3,
      needed: 3,
      explorer_url: `${exampleChain().explorerUrl}/tx/${HASH}`,
      proof_url: `/networks/${exampleChain().key}/transactions/${HASH}`,
      at: LATER,
    },
  ],
  delay_reason: null,
  advance: null,
  reference: 'treasury-7',
  metadata: {},
  status: 'MINTING',
  substatus: null,
  status_times: { burning_at: AT, burned_at: LATER, attested_at: LATER, minting_at: LATER },
  failure: null,
  in_doubt_since: null,
  next_attempt_at: null,
  version: 4,
  created_at: AT,
  updated_at: LATER,
};

const transfers = defineObject<Shown, typeof ShownBridgeTransfer>({
  schema: ShownBridgeTransfer,
  since: '2026-11',
  payment: BRIDGE_PAYMENTS,
  example: EXAMPLE,
  key: ({ row: { client_id, user_id, object_id: id } }) => ({ client_id, user_id, id }),
  show: ({ row, places }) => shownBridgeTransfer(row, places),
});

const transfer = transfers.events('bridge_transfer', {
  burning: 'A transfer over the bridge has begun: the burn on the first chain is under way',
  burned: 'The amount was burnt on the first chain',
  attested: 'The burn is final, and the amount is owed until it has arrived',
  minting: 'The mint on the second chain is under way, to an address of the platform',
  sending: 'The amount was minted, and is sent on to the recipient',
  completed: 'The recipient has the amount',
  stalled: 'A day has passed without the mint; it is asked for again until it has come',
  advanced: 'Two operators have decided to pay the source ahead of the mint',
  failed: 'Nothing was burnt, and nothing will be',
});

export const BRIDGE_EVENTS = transfer.types;

type Verb = Parameters<typeof transfer.emit>[1];

/** In the transaction of a change, after its steps are written. */
export async function emitBridge(
  tx: Db,
  row: BridgeRow,
  places: BridgePlaces,
): Promise<WholeBridgeTransfer> {
  const [whole] = await withSteps(tx, [row], 'operator');
  if (!whole) throw new Error(`${row.object_id} cannot be shown`);
  transfer.emit(tx, row.status.toLowerCase() as Verb, { row: whole, places });
  return whole;
}

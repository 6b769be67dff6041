import { BANKING } from './banking.ts';
import { BATCHES } from './batches.ts';
import { BOOKS } from './books.ts';
import { CHAINS } from './chains.ts';
import { CLIENTS } from './clients.ts';
import { COMMERCE } from './commerce.ts';
import { INVOICES } from './invoices.ts';
import { ISSUING } from './issuing.ts';
import { MONEY } from './money.ts';
import { OPERATIONS } from './operations.ts';
import { PEOPLE } from './people.ts';
import { RAMPS } from './ramps.ts';
import type { Recipe } from './recipe.ts';
import { REQUESTS } from './requests.ts';

export const RECIPES: readonly Recipe[] = [
  ...PEOPLE,
  ...CLIENTS,
  ...MONEY,
  ...BANKING,
  ...BATCHES,
  ...REQUESTS,
  ...INVOICES,
  ...ISSUING,
  ...RAMPS,
  ...CHAINS,
  ...COMMERCE,
  ...OPERATIONS,
  ...BOOKS,
];

const CHAIN_STEPS_BACK =
  'a chain has to take blocks back, and the nodes of the sandbox end each block at once';
const PROVIDER_AWAY = 'a provider has to be away for hours: archipay sandbox fault, then the clock';
const BY_WALLET = 'a wallet outside has to sign, and this program has no keys';
const BY_ANOTHER_ADMIN =
  'another admin of long standing has to decide: archipay api batches.submit, then batches.approve';
const BY_DEVICE = 'a device has to sign with its own key, and this program has none';
const LATE_STOP = 'somebody has to be stopped between a proposal and its end';
const OUTSIDE_PAYMENT = 'somebody outside has to pay the marketplace’s contract on chain';

/** Types that calls and controls do not cause alone, and why not. */
export const NOT_CAUSED: Readonly<Record<string, string>> = {
  'adjustment.voided': LATE_STOP,
  'batch.failed': 'each line of a batch has to be refused by its bank',
  'bridge_transfer.advanced': BY_ANOTHER_ADMIN,
  'bridge_transfer.failed': 'a wallet has to lose its money between a request and its burn',
  'bridge_transfer.stalled': PROVIDER_AWAY,
  'card_decision.timed_out':
    'a decision has to be late: archipay sandbox fault issuing, then a purchase',
  'card.expired': 'a card has to reach the end of its years',
  'card.failed': PROVIDER_AWAY,
  'cardano_order.given_back': PROVIDER_AWAY,
  'cardano_order.made_anew': CHAIN_STEPS_BACK,
  'cardano_order.payout_returned': 'a bank has to send a pay-out back days later',
  'cardano_order.taken_back': CHAIN_STEPS_BACK,
  'cardano_order.unpaid': PROVIDER_AWAY,
  'conversion.failed': PROVIDER_AWAY,
  'conversion.payout_returned': 'a bank has to send a pay-out back days later',
  'crosschain_transfer.burn_lost': CHAIN_STEPS_BACK,
  'crosschain_transfer.burn_refused':
    'a wallet has to lose its money between a request and its burn',
  'crosschain_transfer.failed': PROVIDER_AWAY,
  'crosschain_transfer.mint_lost': CHAIN_STEPS_BACK,
  'crosschain_transfer.mint_refused':
    'the contract of the other chain has to refuse a good attestation',
  'device.added': BY_DEVICE,
  'device.removed': BY_DEVICE,
  'idr_mint.lost': CHAIN_STEPS_BACK,
  'marketplace_order.unpaid': CHAIN_STEPS_BACK,
  'marketplace_payment.assigned': OUTSIDE_PAYMENT,
  'marketplace_payment.found_again': CHAIN_STEPS_BACK,
  'marketplace_payment.lost': CHAIN_STEPS_BACK,
  'marketplace_payment.refund_failed': OUTSIDE_PAYMENT,
  'marketplace_payment.refund_started': OUTSIDE_PAYMENT,
  'marketplace_payment.refunded': OUTSIDE_PAYMENT,
  'marketplace_payment.undelivered': OUTSIDE_PAYMENT,
  'marketplace_payment.unmatched': OUTSIDE_PAYMENT,
  'marketplace_payment.written_off': OUTSIDE_PAYMENT,
  'network.down': 'a node of a chain has to end',
  'network.up': 'a node of a chain has to end and begin again',
  'passkey.added': BY_DEVICE,
  'passkey.removed': BY_DEVICE,
  'payment.disputed': 'an invoice has to be paid on its page with a card, whose bank takes it back',
  'payment.delayed': PROVIDER_AWAY,
  'pending_change.dropped': LATE_STOP,
  'pending_change.failed': LATE_STOP,
  'pending_change.voided': LATE_STOP,
  'psp_customer.failed': PROVIDER_AWAY,
  'purchase.failed': PROVIDER_AWAY,
  'purchase.refund_started': PROVIDER_AWAY,
  'purchase.refunded': PROVIDER_AWAY,
  'policy.announced':
    'a client has to have one admin only: archipay api POST /policies/{policy_id}/publish',
  'refund.failed': PROVIDER_AWAY,
  'test.ping':
    'it goes to one endpoint and into no log: archipay api webhookEndpoints.test endpoint_id=…',
  'transfer.failed': CHAIN_STEPS_BACK,
  'transfer.sent':
    'the nodes of the sandbox end each block at once, so that a send is confirmed with its answer',
  'transfer.withdrawn': 'a send has to be stopped in the moment before it is signed',
  'user.activated':
    'a user has to follow the first link of an account that was made without a password',
  'wallet_proof.proven': BY_WALLET,
  'wallet_proof.removed': BY_WALLET,
  'wallet_proof.superseded': BY_WALLET,
  'webhook_endpoint.events_expired': 'an endpoint has to fail for longer than events are kept',
  'work.given_up': PROVIDER_AWAY,
  'work.stalled': PROVIDER_AWAY,
  'xrpl_transaction.failed': 'the XRP Ledger has to refuse a transaction that it took',
};

export const recipeOf = (type: string): Recipe | undefined =>
  RECIPES.find(({ types }) => types.includes(type));

/** The types that can be caused. */
export const causedTypes = (): string[] => RECIPES.flatMap(({ types }) => types).sort();

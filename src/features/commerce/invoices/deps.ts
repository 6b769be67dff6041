import type { CardPulls } from '#features/fiat/cards/cards.ts';
import type { Payouts } from '#features/fiat/payouts/payouts.ts';
import type { Files } from '#features/messaging/files/files.ts';
import type { Inbox } from '#kernel/effects/inbox.ts';
import type { Machine } from '#kernel/effects/saga-machine.ts';
import type { Job } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { ExchangeRates } from '#providers/fx/port.ts';
import type { Gateway, GatewayNotification } from '#providers/gateway/port.ts';
import type { GatewayMoney, Try } from './gateway/try.ts';

export interface InvoiceDeps
  extends Pick<
    Kernel,
    | ('clock' | 'db' | 'policies' | 'config' | 'log' | 'jobs' | 'sagas' | 'inboxes')
    | ('quotas' | 'prices')
  > {
  /** What policies value an amount by. */
  readonly fx: ExchangeRates;
  readonly gateway: Gateway;
  /** Whether the gateway has its settings, and takes payments for others. */
  readonly isGatewayReady: boolean;
  readonly cards: CardPulls;
  /** Whether the card network has its settings. */
  readonly isCardReady: boolean;
  readonly payouts: Payouts;
}

/** With what pages for payers need. */
export interface InvoicesGiven
  extends InvoiceDeps,
    Pick<Kernel, 'metrics' | 'vault' | 'publicUrl' | 'events' | 'shares'> {
  readonly files: Pick<Files, 'find' | 'hold' | 'read'>;
}

/** What follows payments at the gateway alone. */
export type GatewayTryDeps = Omit<
  TryingDeps,
  'trying' | 'paying' | 'hints' | 'cards' | 'isCardReady'
>;

type Hint = GatewayNotification & { readonly [key: string]: unknown };
/** Hints of the gateway's; it is asked, and its answer counts. */
export type InvoiceInbox = Inbox<Hint, GatewayMoney | undefined>;

/** Its data: a payment by card is known by its flow's id. */
export type CardTry = Readonly<Record<string, never>>;

/** With what follows payments at the gateway and by cards. */
export interface TryingDeps extends InvoiceDeps {
  readonly trying: Machine<Try>;
  readonly paying: Machine<CardTry>;
  readonly hints: InvoiceInbox;
  /** Ends the tries of an invoice that is not to be paid any more, after the commit. */
  readonly closing: Job<{ readonly invoice_id: string }>;
}

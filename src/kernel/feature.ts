import type { Db } from './db/db.ts';
import type { AnyEffect } from './effects/effect.ts';
import type { AnyInbox } from './effects/inbox.ts';
import type { Machine } from './effects/saga-machine.ts';
import type { AnyEventType } from './events/event-type.ts';
import type { Route } from './http/declare/route.ts';
import type { Page } from './http/pages/pages.ts';
import type { RequestObserver } from './http/serve/observer.ts';
import type { Job, Schedule } from './jobs/job.ts';
import type { HoldOwner } from './ledger/holds.ts';
import type { FeatureWords } from './openapi/vocabulary.ts';
import type { PaymentSource } from './payments/payment-source.ts';
import type { ClosingCheck } from './person-data/closing-check.ts';
import type { PersonData } from './person-data/person-table.ts';
import type { ApprovalSubject } from './policies/approvals.ts';
import type { Rail } from './reconciliation/rail.ts';

/** One area of the product, as it is handed to the service: all that it answers and runs. */
export interface Feature {
  /** The name of its folder. */
  readonly name: string;
  readonly routes?: readonly Route[];
  /** Pages for people, outside the API. */
  readonly pages?: readonly Page[];
  readonly jobs?: readonly Job[];
  readonly schedules?: readonly Schedule[];
  /** Flows of several steps, each a table of states. */
  readonly machines?: readonly Machine[];
  /** Calls to the outside whose answer may get lost. */
  readonly effects?: readonly AnyEffect[];
  /** The webhooks it takes. */
  readonly inboxes?: readonly AnyInbox[];
  /** What it books of a provider or chain, to be compared with what that says. */
  readonly rails?: readonly Rail[];
  /** What it does by itself all the time, in processes that do jobs. */
  readonly runners?: readonly KernelRunner[];
  /** What it tells of, see `emit`. */
  readonly events?: readonly AnyEventType[];
  /** Hear of every answered request of a known caller. */
  readonly observers?: readonly RequestObserver[];
  /** Write what it keeps in memory for its next batch: at a graceful stop, after the last request. */
  readonly flushes?: readonly (() => Promise<void>)[];
  /** What the reference says of it. */
  readonly reference?: FeatureWords;
  /** Whose the money is that it sets aside. */
  readonly holds?: readonly HoldOwner[];
  /** Its objects that may wait for an approval, and what becomes of them. */
  readonly approvals?: readonly ApprovalSubject[];
  /** Which files its objects name. */
  readonly fileUses?: readonly FileUse[];
  /** Objects by which it moves money, for the metrics. */
  readonly payments?: readonly PaymentObject[];
  /** What it holds of people, and what becomes of that when they go. */
  readonly personData?: PersonData;
  /** What has to end before an account is closed. */
  readonly closing?: readonly ClosingCheck[];
}

/** Objects that name files: what they name stays for as long as they do. */
export interface FileUse {
  /** What names them, for people: `disputes`. */
  readonly by: string;
  /** Those of the files, by their UUIDs, that are named now. */
  find(db: Db, file_ids: readonly string[]): Promise<readonly string[]>;
}

/** An object that moves money, whose events say how that ends. */
export interface PaymentObject {
  /** `payout` of `payout.failed`. */
  readonly object: string;
  /** What the payment goes over, where its event does not say so itself. */
  readonly rail: string;
  /** How its things are rows of the list of payments. */
  readonly source: PaymentSource;
  /** Whether the payer's bank or card has said no: no failure of ours, nor of the provider. */
  isDecline?(failure: string): boolean;
  /** Whether the same may succeed when it is made again. */
  isRetryable?(failure: string): boolean;
}

/** Work without an end, beside jobs, that processes share among them. */
export interface KernelRunner {
  readonly name: string;
  start(): Promise<void>;
  /** Takes nothing more, and leaves what is not done to others. */
  pause(): Promise<void>;
  /** Does all that may be done now, in a process that does not run it; answers how much there was. */
  drain(): Promise<number>;
}

/** Everything that the features bring along, each list in their order. */
export interface Composition extends Required<Omit<Feature, 'name' | 'reference' | 'personData'>> {
  readonly words: readonly FeatureWords[];
  readonly personData: readonly PersonData[];
}

/** Joins features. Throws where two have one name, or two of their rails. */
export function composeFeatures(features: readonly Feature[]): Composition {
  refuseTwice('features', features);
  refuseTwice(
    'rails',
    features.flatMap(({ rails = [] }) => rails),
  );
  return {
    routes: features.flatMap(({ routes = [] }) => routes),
    pages: features.flatMap(({ pages = [] }) => pages),
    jobs: features.flatMap(({ jobs = [] }) => jobs),
    schedules: features.flatMap(({ schedules = [] }) => schedules),
    machines: features.flatMap(({ machines = [] }) => machines),
    effects: features.flatMap(({ effects = [] }) => effects),
    inboxes: features.flatMap(({ inboxes = [] }) => inboxes),
    rails: features.flatMap(({ rails = [] }) => rails),
    runners: features.flatMap(({ runners = [] }) => runners),
    events: features.flatMap(({ events = [] }) => events),
    observers: features.flatMap(({ observers = [] }) => observers),
    flushes: features.flatMap(({ flushes = [] }) => flushes),
    words: features.flatMap(({ reference }) => reference ?? []),
    holds: features.flatMap(({ holds = [] }) => holds),
    approvals: features.flatMap(({ approvals = [] }) => approvals),
    fileUses: features.flatMap(({ fileUses = [] }) => fileUses),
    payments: features.flatMap(({ payments = [] }) => payments),
    personData: features.flatMap(({ personData }) => personData ?? []),
    closing: features.flatMap(({ closing = [] }) => closing),
  };
}

function refuseTwice(what: string, all: readonly { readonly name: string }[]): void {
  const names = all.map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw new Error(`There are two ${what} named ${twice}`);
}

import type { AnyEventType } from '#kernel/events/event-type.ts';
import type { Feature, PaymentObject } from '#kernel/feature.ts';
import { defineSchedule } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { openPaymentsOf } from '#kernel/payment-list/open-payments-store.ts';
import { foldPaymentDays } from '#kernel/payment-list/payment-days-store.ts';
import { delayed, watchSchedule } from './delayed.ts';
import type { PaymentsDeps } from './deps.ts';
import { figuresRoute } from './figure-routes.ts';
import type { MomentSources } from './moments.ts';
import { PAYMENTS_PERSON_DATA } from './person-data.ts';
import { railRoutes } from './rail-routes.ts';
import { PAYMENTS_WORDS } from './reference.ts';
import { paymentRoutes } from './routes.ts';
import type { TimelineWords } from './timeline.ts';

export { SHOWN_MAX } from './moment-store.ts';
export { type Moment, type MomentDeps, type MomentSources, momentsOf } from './moments.ts';
export type { TimelineWords } from './timeline.ts';
export type { FlowEvent, Posting, WorkHistory } from './work-history.ts';

interface Given
  extends Pick<Kernel, 'clock' | 'db'>,
    Omit<MomentSources, 'references'>,
    Pick<TimelineWords, 'explorerUrl'> {
  /** The objects that move money, and the event types, of all features. */
  objects(): readonly PaymentObject[];
  types(): readonly AnyEventType[];
}

/** The operator’s own corrections are made by people, and no rail. */
const BY_PEOPLE = 'operator';

/** One list of payments over all rails, with a timeline of each, and the state of the rails. */
export function createPayments(given: Given): Feature {
  const { objects, types, ...rest } = given;
  const sources = () => [...new Map(objects().map(({ source }) => [source.view, source])).values()];
  const deps: PaymentsDeps = {
    ...rest,
    sources,
    objects: () => [
      ...new Set(types().flatMap(({ object, payment }) => (payment === undefined ? [] : [object]))),
    ],
    summary: (type) => types().find(({ name }) => name === type)?.summary,
    words: {
      href: (type, id, rail) =>
        objects()
          .find(({ object, source }) => object === type && source.rail === rail)
          ?.source.href(id) ?? null,
      isRetryable: (rail, code) =>
        objects().some((one) => one.source.rail === rail && one.isRetryable?.(code)),
    },
  };
  const rails = () => [
    ...new Set(
      sources()
        .map(({ rail }) => rail)
        .filter((rail) => rail !== BY_PEOPLE),
    ),
  ];
  return {
    name: 'payments',
    personData: PAYMENTS_PERSON_DATA,
    closing: [openPaymentsOf],
    reference: PAYMENTS_WORDS,
    routes: [
      ...paymentRoutes(deps),
      ...railRoutes({ clock: given.clock, rails }),
      figuresRoute(given),
    ],
    events: [delayed],
    schedules: [
      watchSchedule(given, deps.words),
      defineSchedule({
        name: 'payments.fold',
        cron: '* * * * *',
        run: () => foldPaymentDays(given.db),
      }),
    ],
  };
}

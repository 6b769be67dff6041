import { type Catalogue, catalogueOf } from '#kernel/events/catalogue.ts';
import type { AnyEventType } from '#kernel/events/event-type.ts';
import type { Feature } from '#kernel/feature.ts';
import { WORK_EVENTS } from '#kernel/jobs/work-events.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { realTimers } from '#kernel/timers.ts';
import { EVENTS_PERSON_DATA } from './person-data.ts';
import { EVENTS_WORDS } from './reference.ts';
import { eventRoutes } from './routes.ts';
import { streamRoutes } from './stream-routes.ts';

type EventsDeps = Pick<Kernel, 'clock' | 'config' | 'events' | 'metrics' | 'shares'> & {
  /** The types of all features. */
  types(): readonly AnyEventType[];
};

/** Lists and streams events to those who may read them. */
export function createEvents({ config, types, ...deps }: EventsDeps): Feature {
  let made: Catalogue | undefined;
  const catalogue = () => {
    made ??= catalogueOf(types());
    return made;
  };
  deps.metrics.gauge('archipay_event_streams', 'Open streams of events', [], async () => [
    { labels: {}, value: deps.events.followers() },
  ]);
  const live = config.NODE_ENV === 'production';
  return {
    name: 'events',
    personData: EVENTS_PERSON_DATA,
    reference: EVENTS_WORDS,
    // The kernel's own types.
    events: WORK_EVENTS,
    routes: [
      ...streamRoutes({ ...deps, live, catalogue, timers: realTimers }),
      ...eventRoutes({ live, catalogue }),
    ],
  };
}

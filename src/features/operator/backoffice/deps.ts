import type { AnyEventType } from '#kernel/events/event-type.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { TimelineSources } from './timeline.ts';
import type { OpenWork } from './open-work.ts';

export interface BackofficeDeps extends TimelineSources, Pick<Kernel, 'effects' | 'inboxes' | 'jobs' | 'sagas'> {
  work(): Promise<OpenWork>;
  /** What all features tell of, this one being one of them. */
  types(): readonly AnyEventType[];
}

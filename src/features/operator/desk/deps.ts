import type { AnyEventType } from '#kernel/events/event-type.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { Sources } from './timeline.ts';
import type { OpenWork } from './told.ts';

export interface DeskDeps extends Sources, Pick<Kernel, 'effects' | 'inboxes' | 'jobs' | 'sagas'> {
  work(): Promise<OpenWork>;
  /** What all features tell of, this one being one of them. */
  types(): readonly AnyEventType[];
}

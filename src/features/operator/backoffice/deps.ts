import type { MomentSources } from '#features/messaging/payments/payments.ts';
import type { AnyEventType } from '#kernel/events/event-type.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { OpenWork } from './open-work.ts';

export interface BackofficeDeps
  extends MomentSources,
    Pick<Kernel, 'effects' | 'inboxes' | 'jobs' | 'sagas'> {
  work(): Promise<OpenWork>;
  /**
   * The names of the payments that anybody calls so: their things, our references, their work. A short number is
   * looked for among what other sides call them, alone.
   */
  payments(name: string): Promise<string[]>;
  /** The event types of all features, this one among them. */
  types(): readonly AnyEventType[];
}

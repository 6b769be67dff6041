import type { Kernel } from '#kernel/kernel.ts';
import type { PaymentSource } from '#kernel/payments/payment-source.ts';
import type { MomentDeps } from './moments.ts';
import type { PaymentWords } from './presenters.ts';
import type { TimelineWords } from './timeline.ts';

export interface PaymentsDeps extends Pick<Kernel, 'clock' | 'db'>, MomentDeps, TimelineWords {
  /** All things that are payments. */
  sources(): readonly PaymentSource[];
  readonly words: PaymentWords;
}

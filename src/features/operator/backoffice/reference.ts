import { UUID } from '#kernel/openapi/example-values.ts';
import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

/** What the reference says of this feature beside its declarations. */
export const DESK_WORDS: FeatureWords = {
  tags: {
    desk: {
      group: 'Operations',
      text: 'Open work that needs the operator’s people, and the timeline of an object.',
    },
  },
  titles: {
    'desk.work': 'Get open work',
    'desk.timeline': 'Get a timeline',
    'desk.tryAgain': 'Try open work again',
    'desk.redrive': 'Redrive a dead letter',
  },
  descriptions: {
    'desk.work':
      'Only an admin of the operator may call it. `needs_person` marks work that does not go on by itself; `POST /desk/work/try-again` retries it now.',
    'desk.timeline':
      'Only an admin of the operator may call it. It takes any name of a payment (ours, its caller’s, a provider’s, a hash) and the id or reference of whatever else there is.',
  },
  places: {
    'OpenWork.id': UUID,
    'OpenWork.error': 'The provider has not answered',
    'OpenWork.kind': 'payout',
    'OpenWork.source': 'identity',
    'OpenWork.state': 'waiting',
    'OpenWork.type': 'purchase',
    'OpenWork.what': 'effect',
    'desk.tryAgain.id': UUID,
    'desk.tryAgain.kind': 'payout',
    'Timeline.about': 'payment TOPUP-NFCRADBEHKLMPQGJ',
    'Timeline.type': 'payment.succeeded',
    'Timeline.what': 'event',
    'OpenWork.ours': '200000.00',
    'OpenWork.theirs': '199000.00',
  },
  origins: [
    [/^desk\.tryAgain$/, 'Stalled work: `GET /desk/work`'],
    [/^desk\.redrive\.id$/, 'desk.work'],
  ],
};

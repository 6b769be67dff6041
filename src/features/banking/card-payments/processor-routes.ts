import { Type } from 'typebox';
import type { Inbox } from '#kernel/effects/inbox.ts';
import { errorEnvelope } from '#kernel/http/declare/envelope.ts';
import { named } from '#kernel/http/declare/named.ts';
import { at, endpoints, type Route } from '#kernel/http/declare/route.ts';
import { MessageField } from '#kernel/http/declare/schema.ts';
import { decideFunding } from './decide.ts';
import type { CardPaymentDeps } from './deps.ts';
import type { CardHint } from './news.ts';

const endpoint = endpoints(errorEnvelope);

/** As the processor has it, of whatever it has sent. */
const Funding = named('CardFundingAnswer', {
  jit_funding: {
    ...Type.Unsafe<Readonly<Record<string, unknown>>>({
      type: 'object',
      additionalProperties: true,
    }),
    description: 'The object of the question, with the amount of the yes or the reason of the no',
    examples: [{ token: '4d9c1f5e', method: 'pgfs.authorization', amount: 12.5 }],
  },
});

/** What the processor of cards calls: it asks, and waits for the answer; and it tells what has happened. */
export const cardProcessorRoutes = (
  deps: CardPaymentDeps,
  inbox: Inbox<CardHint, unknown>,
): Route[] => [
  endpoint('POST /cards/processor/authorizations', {
    name: 'callbacks.decideCard',
    auth: 'public',
    summary:
      'Just-in-time funding: the processor asks whether a card pays, and waits for the answer',
    // What stands behind a call are its credentials, and the processor sends many from one address.
    limit: 'authenticated',
    signed: (raw, headers) => deps.issuing.isGenuine(raw, headers),
    reply: { 200: Funding, 402: Funding },
    fault: 'Failed to decide about a card',
    async handler({ request }) {
      const asked = deps.issuing.readFunding(request.raw);
      if (asked === undefined) {
        deps.log.error('The processor of cards asks something that is not understood');
        deps.counted('decline', 'not_understood');
        return at(402, deps.issuing.refuseFunding(request.raw).body);
      }
      const answer = await decideFunding(deps, asked);
      deps.counted(answer.approve ? 'approve' : 'decline', answer.approve ? '' : answer.reason);
      const { status, body } = deps.issuing.answerFunding(asked, answer);
      return status === 200 ? at(200, body) : at(402, body);
    },
  }),
  endpoint('POST /cards/processor/events', {
    name: 'callbacks.receiveCardNews',
    auth: 'public',
    summary: 'Notifications of the processor of cards; its credentials prove the call',
    // What stands behind a call are its credentials, and the processor sends many from one address.
    limit: 'authenticated',
    signed: (raw, headers) => deps.issuing.isGenuine(raw, headers),
    reply: { 200: MessageField },
    atomic: true,
    fault: 'Failed to take the event',
    async handler({ request, db: tx }) {
      const news = deps.issuing.readNotification(request.raw);
      for (const { token, state } of news)
        await deps.inboxes.receive(tx, inbox, `${token}:${state}`, { token });
      const disputes = await deps.hear(tx, request.raw);
      return { message: news.length + disputes === 0 ? 'Event ignored' : 'Event received' };
    },
  }),
];

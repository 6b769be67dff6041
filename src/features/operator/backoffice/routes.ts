import { Type } from 'typebox';
import { logActivity } from '#features/messaging/activity/activity.ts';
import { operatorOnly } from '#kernel/access/tenant-scope.ts';
import { fail } from '#kernel/error.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import {
  explained,
  MessageField,
  oneOfWords,
  stamped,
  text,
  Uuid,
} from '#kernel/http/declare/schema.ts';
import type { BackofficeDeps } from './deps.ts';
import { needsPerson } from './open-work.ts';
import { OpenWorkReply, TimelineReply } from './shapes.ts';
import { type TimelineDeps, timelineOf } from './timeline.ts';

const endpoint = endpoints(codedEnvelope);

/** The length of the longest name of anything. */
const NAME_MAX = 200;

/** Beyond the contract: what `npm run jobs` prints on the machine, for operators who have no shell on it. */
export const backofficeRoutes = (deps: BackofficeDeps, timeline: TimelineDeps): Route[] => [
  workRoute(deps),
  timelineRoute(timeline),
  tryAgainRoute(deps),
  redriveRoute(deps),
];

const workRoute = ({ work }: BackofficeDeps): Route =>
  endpoint('GET /desk/work', {
    name: 'desk.work',
    auth: 'admin',
    permit: operatorOnly,
    summary: 'Work that is in flight, in doubt or given up, and work that needs a person',
    reply: { 200: stamped({ data: OpenWorkReply }) },
    fault: 'Failed to read the work',
    async handler() {
      const found = await work();
      const { dead_letters, ...rest } = found;
      const needs_person = needsPerson(found);
      const letters = dead_letters.map(({ payload, ...letter }) => letter);
      return { data: { needs_person, ...rest, dead_letters: letters } };
    },
  });

const timelineRoute = (deps: TimelineDeps): Route =>
  endpoint('GET /desk/timeline', {
    name: 'desk.timeline',
    auth: 'admin',
    permit: operatorOnly,
    errors: ['NOT_FOUND'],
    summary:
      'The timeline of an object, from the request to the ledger: events, calls to providers, postings, transactions',
    query: Type.Object({
      q: explained(
        text(NAME_MAX),
        'An e-mail address, user name, phone or number of a person; a name, e-mail address, phone, code or number of a client; the id, reference, retrieval number or approval code of a payment; the id of another object, of a request, an event, a call, a flow or something inbound; the hash of a transaction; the reference of a difference between two books',
      ),
    }),
    reply: { 200: stamped({ data: TimelineReply }) },
    fault: 'Failed to read the timeline',
    async handler({ query, db }) {
      const name = query.q.trim();
      const found = await timelineOf(db, deps, name);
      const { people, clients, moments } = found;
      if (people.length + clients.length + moments.length === 0)
        throw fail('NOT_FOUND', `Nothing is known of ${name}`);
      return { data: found };
    },
  });

const tryAgainRoute = ({ effects, inboxes, sagas }: BackofficeDeps): Route =>
  endpoint('POST /desk/work/try-again', {
    name: 'desk.tryAgain',
    movesMoney: true,
    auth: 'admin',
    proof: true,
    permit: operatorOnly,
    errors: ['NOT_FOUND'],
    summary:
      'Has an open call, a flow or something inbound looked at again now, also where it has stalled',
    body: Type.Object({
      what: oneOfWords(['effect', 'flow', 'inbox']),
      kind: explained(
        text(NAME_MAX),
        'Of a call its kind, of an inbound event its source, of a flow its type',
      ),
      id: text(NAME_MAX),
    }),
    atomic: true,
    reply: { 200: stamped({ data: MessageField }) },
    fault: 'Failed to try it again',
    async handler({ caller, body: { what, kind, id }, request, db }) {
      const again = {
        effect: () => effects.wake(db, kind, id),
        flow: () => sagas.resume(db, id),
        inbox: () => inboxes.replay(db, kind, id),
      };
      if (!(await again[what]())) throw fail('NOT_FOUND', `No open ${what} has that name`);
      const details = { what, kind, id };
      await logActivity(db, { action: 'WORK_TRIED_AGAIN', actor: caller, details, request });
      return { data: { message: 'It is looked at again now' } };
    },
  });

const redriveRoute = ({ jobs }: BackofficeDeps): Route =>
  endpoint('POST /desk/dead-letters/{id}/redrive', {
    name: 'desk.redrive',
    movesMoney: true,
    auth: 'admin',
    proof: true,
    permit: operatorOnly,
    errors: ['NOT_FOUND'],
    summary: 'Gives work that was given up another full round of attempts',
    params: Type.Object({ id: Uuid }),
    reply: { 200: stamped({ data: MessageField }) },
    fault: 'Failed to redrive it',
    async handler({ caller, params: { id }, request, db }) {
      if ((await jobs.redrive(id)) === 0) throw fail('NOT_FOUND', 'No such work was given up');
      await logActivity(db, { action: 'WORK_REDRIVEN', actor: caller, details: { id }, request });
      return { data: { message: 'It is tried again' } };
    },
  });

import { Type } from 'typebox';
import { logActivity } from '#features/messaging/activity/activity.ts';
import { clientScopeOf, operatorOnly } from '#kernel/access/tenant-scope.ts';
import { fail } from '#kernel/error.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { named } from '#kernel/http/declare/named.ts';
import { pageOf, pageQuery } from '#kernel/http/declare/page.ts';
import { endpoints, Paged, type Route } from '#kernel/http/declare/route.ts';
import {
  IdInput,
  Nullable,
  oneOfWords,
  spanEdge,
  stamped,
  TextOrNull,
  Timestamp,
  TimeZone,
  text,
} from '#kernel/http/declare/schema.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { emitBreak } from '#kernel/reconciliation/break-events.ts';
import { ShownBreak, shownBreak } from '#kernel/reconciliation/break-shape.ts';
import {
  BREAK_STATES,
  CAUSES,
  explainBreak,
  listBreaks,
  railProgress,
} from '#kernel/reconciliation/break-store.ts';
import type { Rail } from '#kernel/reconciliation/rail.ts';

const endpoint = endpoints(codedEnvelope);

interface Deps extends Pick<Kernel, 'clock'> {
  rails(): readonly Pick<Rail, 'name'>[];
}

const NOTE_MAX = 1000;
const PAGE = 50;
const PAGE_MAX = 200;

const Standing = named('RailStanding', {
  rail: Type.String(),
  compared_until: Timestamp,
  failing_since: Nullable(Timestamp),
  failure: TextOrNull,
});

/** Beyond the contract: an operator has to see where two books differ. */
export const breakRoutes = (deps: Deps): Route[] => [listRoute(deps), explainRoute(deps)];

const listRoute = ({ clock, rails }: Deps): Route =>
  endpoint('GET /reconciliation/breaks', {
    name: 'reconciliation.listBreaks',
    auth: 'admin',
    summary:
      "Where our books and a provider's or chain's differ, newest first; next page before `next_before`",
    query: Type.Object({
      ...pageQuery(PAGE_MAX),
      rail: Type.Optional(Type.String({ pattern: '^[a-z][a-z0-9-]{0,39}$' })),
      state: Type.Optional(oneOfWords(BREAK_STATES)),
      cause: Type.Optional(oneOfWords(CAUSES)),
      from: Type.Optional(spanEdge('start', 'Found from then on')),
      to: Type.Optional(spanEdge('until', 'Found before')),
      time_zone: Type.Optional(TimeZone),
    }),
    reply: {
      200: stamped({
        data: Type.Object({
          breaks: Type.Array(ShownBreak),
          /** How far each rail is compared. */
          rails: Type.Array(Standing),
          has_more: Type.Boolean(),
          next_before: Nullable(Type.Integer()),
        }),
      }),
    },
    fault: 'Failed to read breaks',
    async handler({ caller, query, db }) {
      const { limit = PAGE, before, rail, state, cause, from, to } = query;
      const client_id = clientScopeOf(caller);
      const page = { before, limit: limit + 1 };
      const found = await listBreaks(db, { client_id, rail, state, cause, from, to, ...page });
      const { rows, ...more } = pageOf(found, limit, ({ break_id }) => break_id);
      const names = rails().map(({ name }) => name);
      const standings = await railProgress(db, names);
      const data = {
        breaks: rows.map((row) => shownBreak(row, clock.now())),
        rails: standings.map((one) => (caller.operator ? one : { ...one, failure: null })),
        ...more,
      };
      return new Paged({ data }, more.next_before);
    },
  });

const explainRoute = ({ clock }: Deps): Route =>
  endpoint('POST /reconciliation/breaks/{break_id}/explain', {
    name: 'reconciliation.explainBreak',
    auth: 'admin',
    permit: operatorOnly,
    errors: ['NOT_FOUND'],
    summary: 'The operator explains a difference; it stays, and is no longer open',
    params: Type.Object({ break_id: IdInput }),
    body: Type.Object({ note: text(NOTE_MAX) }),
    atomic: true,
    reply: { 200: stamped({ data: ShownBreak }) },
    fault: 'Failed to explain a break',
    async handler({ caller, params, body: { note }, request, db }) {
      const row = await explainBreak(db, params.break_id, { user_id: caller.user_id, note });
      if (row === undefined) throw fail('NOT_FOUND', 'No such break stands');
      const { break_id, rail, reference, cause, client_id } = row;
      emitBreak(db, 'explained', row, clock.now());
      await logActivity(db, {
        action: 'RECONCILIATION_EXPLAINED',
        actor: caller,
        ...(client_id === null ? {} : { client_id }),
        details: { break_id, rail, reference, cause, note },
        request,
      });
      return { data: shownBreak(row, clock.now()) };
    },
  });

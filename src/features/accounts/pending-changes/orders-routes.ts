import { Type } from 'typebox';
import { operatorOnly } from '#kernel/access/tenant-scope.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { PageEnd, pageOf, pageQuery } from '#kernel/http/declare/page.ts';
import { endpoints, Paged, type Route } from '#kernel/http/declare/route.ts';
import { explained, Id, Nullable, stamped, Timestamp } from '#kernel/http/declare/schema.ts';
import { ID_MAX } from '#kernel/http/declare/wire.ts';
import { listPendingOrders } from './store.ts';

const endpoint = endpoints(codedEnvelope);
const PAGE = 50;
const PAGE_MAX = 200;

const Order = Type.Object({
  change_id: Id,
  user_id: explained(Id, 'The user whose account it changes'),
  client_id: Id,
  kind: Type.String(),
  subject: explained(Type.String(), 'Such as the new e-mail address; empty where there is none'),
  ordered_by: explained(Nullable(Id), 'The admin of the operator who has ordered it'),
  created_at: Timestamp,
  takes_effect_at: Timestamp,
});

/** Orders that are not due yet, of all users: `DELETE /users/{user_id}/pending-changes/{change_id}` cancels one. */
export const ordersRoute = (): Route =>
  endpoint('GET /desk/orders', {
    name: 'desk.orders',
    auth: 'admin',
    permit: operatorOnly,
    history: true,
    summary:
      'Changes of accounts that operators have ordered and that are still to take effect, newest first; next page before `next_before`',
    query: Type.Object(pageQuery(PAGE_MAX, ID_MAX)),
    reply: {
      200: stamped({
        data: Type.Object({ orders: Type.Array(Order), pagination: PageEnd }),
      }),
    },
    fault: 'Failed to list the orders',
    async handler({ query: { limit = PAGE, before }, db }) {
      const found = await listPendingOrders(db, { before, limit: limit + 1 });
      const { rows, ...more } = pageOf(found, limit, ({ change_id }) => change_id);
      const orders = rows.map(({ proposed_by, takes_effect_at, ...row }) => ({
        ...row,
        ordered_by: proposed_by,
        takes_effect_at: takes_effect_at ?? row.expires_at,
      }));
      const data = { orders, pagination: { limit, ...more } };
      return new Paged({ data }, more.next_before);
    },
  });

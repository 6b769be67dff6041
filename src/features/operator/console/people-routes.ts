import { Type } from 'typebox';
import { clientScopeOf } from '#kernel/access/tenant-scope.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { named } from '#kernel/http/declare/named.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import { explained, Id, stamped } from '#kernel/http/declare/schema.ts';
import { peopleByNumber } from './store.ts';

const endpoint = endpoints(codedEnvelope);

/** Enough for the rows of a page, which name people by their numbers. */
const MOST = 100;

const NamedPerson = named('NamedPerson', {
  user_id: Id,
  username: Type.String(),
  client_id: Id,
  organisation: Type.String(),
});

/** Names for the numbers of people that the other answers have, which the console's pages show beside one another. */
export const peopleRoute: Route = endpoint('GET /console/people', {
  name: 'console.people',
  auth: 'admin',
  team: 'people:read',
  summary: 'Names of people by their numbers; of the reader’s own client, for the operator of all',
  query: Type.Object({
    ids: explained(
      Type.String({
        pattern: `^[1-9][0-9]{0,8}(,[1-9][0-9]{0,8}){0,${MOST - 1}}$`,
        examples: ['3,7'],
      }),
      `At most ${MOST} numbers with commas between them; unknown ones are left out`,
    ),
  }),
  reply: { 200: stamped({ data: Type.Object({ people: Type.Array(NamedPerson) }) }) },
  fault: 'Failed to read the names',
  async handler({ caller, query, db }) {
    const ids = query.ids.split(',').map(Number);
    return { data: { people: await peopleByNumber(db, ids, clientScopeOf(caller)) } };
  },
});

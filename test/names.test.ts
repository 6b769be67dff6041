import type { TSchema } from 'typebox';
import { expect, test } from 'vitest';
import { harness } from './harness.ts';

/** Names that a person gives are a `nameInput`, so that no name passes for another. */
const h = await harness();

interface Shape {
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly anyOf?: readonly TSchema[];
  readonly items?: TSchema;
  readonly wire?: unknown;
}

/** Every field of a body: `POST /clients/create-instance instance_name`. */
function fieldsOf(schema: TSchema | undefined, place: string): [place: string, field: Shape][] {
  const { properties = {}, anyOf = [], items } = (schema ?? {}) as Shape;
  return [
    ...Object.entries(properties).flatMap(([name, field]): [string, Shape][] => [
      [`${place} ${name}`, field as Shape],
      ...fieldsOf(field, `${place} ${name}`),
    ]),
    ...[...anyOf, ...(items ? [items] : [])].flatMap((inner) => fieldsOf(inner, place)),
  ];
}

const NAMES = / \w*(name|alias|label|Name)$/;

/** Fields called a name that no person gives here. */
const OTHERS: Readonly<Record<string, string>> = {
  'POST /batches items recipient name': 'checked by its line, which names the fault',
  'PUT /batches/{batch_id}/items items recipient name': 'the same',
  'POST /ekyc/idv/changeLevel levelName': 'a word of the provider',
  'POST /marketplace/orders product vendor name': 'as the search answered it; not believed',
  'POST /marketplace/orders product vendor shop_name': 'as the search answered it; not believed',
  'POST /payment-gateway/claim/{key} account_name': 'read with its form, which names the fault',
  'POST /xcontacts/sync contacts contact_name': 'as the phone has it, thousands at once',
  'POST /xprofiles/claim-username username': 'ASCII letters only, by a rule of its own',
};

test('each name in a body is declared as a nameInput', () => {
  const fields = h.app.features.routes.flatMap(({ id, endpoint }) => fieldsOf(endpoint.body, id));
  const named = fields.filter(([place]) => NAMES.test(place));
  expect(named.length).toBeGreaterThan(15);
  const others = named.filter(([, { wire }]) => wire !== 'name').map(([place]) => place);
  expect(others.sort()).toEqual(Object.keys(OTHERS).sort());
});

test.each(['\u200b', '\u2800', '\u3164', '\u202e', '\u00ad', '\u{e0041}', ' ', 'Ada\u200b'])(
  'the name %j is refused',
  async (username) => {
    const as = await h.operator();
    const body = {
      client_id: 1,
      email: 'ada@example.test',
      phone: '+15550101',
      country_code: 'US',
    };
    expect((await h.call('POST /admins/users', { as, body: { ...body, username } }))[0]).toBe(400);
  },
);

test('a name is stored in its composed form, and its user logs in by either form', async () => {
  const user = await h.user();
  const params = { user_id: user.user_id };
  const typed = ' Jose\u0301 O\u0308zil ';
  const body = { username: typed, current_password: user.password };
  const [status, answer] = await h.call('PUT /users/update_profile/{user_id}', {
    as: user,
    params,
    body,
  });
  expect(status, JSON.stringify(answer)).toBe(200);
  const { username } = await h.db
    .selectFrom('users')
    .select('username')
    .where('user_id', '=', user.user_id)
    .executeTakeFirstOrThrow();
  expect(username).toBe('José Özil');
  for (const name of [typed, 'José Özil', 'josé özil']) {
    const login = { usernameoremail: name, password: user.password };
    expect((await h.call('POST /auth/login', { body: login }))[0], name).toBe(200);
  }
});

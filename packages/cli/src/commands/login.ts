import { Archipay } from '../../../sdk/src/archipay.ts';
import { type Command, EXIT, Failure, type Given, UsageError, wordAt } from '../command.ts';
import { ask, askHidden, valueOrInput } from '../prompt.ts';
import { DEMO_KEY, isHere, type Session } from '../session.ts';

/** The published people of a service that has a sandbox. */
const DEMO_PEOPLE: Readonly<Record<string, readonly [email: string, password: string]>> = {
  admin: ['admin@demo.example', 'Admin-demo-1'],
  user: ['user@demo.example', 'User-demo-1'],
  operator: ['operator@archipay.example', 'Operator-demo-1'],
};

export const login: Command = {
  name: 'login',
  summary: 'Logs in, and keeps key and log-in in a profile',
  options: {
    email: { type: 'string', value: 'E-MAIL', help: 'or user name' },
    password: {
      type: 'string',
      value: '-',
      help: '- reads it from the input; asked for otherwise',
    },
    code: { type: 'string', value: 'CODE', help: 'of the second factor, where it is asked for' },
    demo: { type: 'boolean', help: 'as the demo’s admin, on a service with a sandbox' },
    as: { type: 'string', value: 'WHO', help: 'of the demo: admin, user or operator' },
  },
  async run(session, given) {
    const name = await session.profileName();
    const { url } = await session.standing();
    const apiKey = await keyOf(session, given, url);
    const archipay = new Archipay({ baseUrl: url, apiKey });
    const [usernameoremail, password] = await personOf(given);
    const answer = await archipay.auth.logIn({ usernameoremail, password });
    const { data } = answer.requires_2fa
      ? await archipay.auth.completeLogIn({
          user_id: answer.data.user_id,
          two_fa_token: given.text('code') ?? (await ask('Code of the second factor', 'code')),
        })
      : answer;
    const { token, user } = data;
    const kept = await session.profiles.credentials(name);
    await session.profiles.save(name, { url });
    await session.profiles.keep(name, { ...kept, apiKey, token, person: user.email });
    const shown = { profile: name, url, person: user.email, role: user.role };
    session.output.thing(shown, shown);
    return EXIT.ok;
  },
};

async function keyOf(session: Session, given: Given, url: string): Promise<string> {
  if (given.text('api-key') === '-' && given.text('password') === '-')
    throw new UsageError('Only one of --api-key and --password can be the input');
  const named = await valueOrInput(given.text('api-key'));
  const { apiKey } = await session.standing();
  const known = named ?? apiKey ?? (isHere(url) ? DEMO_KEY : undefined);
  return known ?? (await askHidden('API key', 'api-key'));
}

async function personOf(given: Given): Promise<readonly [email: string, password: string]> {
  const who = given.text('as');
  if (given.has('demo') || who !== undefined) {
    const person = DEMO_PEOPLE[who ?? 'admin'];
    if (!person) throw new UsageError(`--as is ${Object.keys(DEMO_PEOPLE).join(', ')}`);
    return person;
  }
  const email = given.text('email') ?? (await ask('E-mail or user name', 'email'));
  const password = await valueOrInput(given.text('password'));
  return [email, password ?? (await askHidden('Password', 'password'))];
}

export const logout: Command = {
  name: 'logout',
  summary: 'Ends the log-in, and forgets key and token of the profile',
  async run(session) {
    const name = await session.profileName();
    const { token } = await session.profiles.credentials(name);
    if (token === undefined) {
      throw new Failure('NOT_SIGNED_IN', 'You are not logged in', { exit: EXIT.notSignedIn });
    }
    // A log-in that has ended already is as good as ended.
    await (await session.person()).users.logOut().catch(() => undefined);
    await session.profiles.keep(name, undefined);
    session.output.note(`Logged out of ${name}`);
    return EXIT.ok;
  },
};

export const whoami: Command = {
  name: 'whoami',
  summary: 'Shows the profile, and whom the service takes one for',
  async run(session) {
    const { name, url, person, token } = await session.standing();
    const user = token === undefined ? undefined : await me(session, token);
    const shown = {
      profile: name,
      url,
      person: user?.email ?? person,
      role: user?.role,
      user_id: user?.user_id,
      client_id: user?.client_id,
      client: user?.client_alias,
    };
    session.output.thing(shown, shown);
    return user ? EXIT.ok : EXIT.notSignedIn;
  },
};

/** The person whose token it is. */
export async function me(session: Session, token: string) {
  const [, payload = ''] = token.split('.');
  const { sub } = JSON.parse(Buffer.from(payload, 'base64url').toString() || '{}');
  return (await (await session.person()).users.get({ user_id: Number(sub) })).data;
}

export const use: Command = {
  name: 'use',
  summary: 'Chooses the profile of later commands; lists them without a name',
  usage: '[PROFILE]',
  async run(session, given) {
    const { current, profiles } = await session.profiles.names();
    if (given.words.length > 0) {
      const name = wordAt(given, 0, 'PROFILE');
      await session.profiles.get(name);
      await session.profiles.use(name);
      session.output.note(`${name} from now on`);
      return EXIT.ok;
    }
    const rows = Object.entries(profiles).map(([name, { url }]) => ({
      profile: name,
      url,
      current: name === current,
    }));
    session.output.table(rows, (row) => ({ ...row, current: row.current ? 'yes' : 'no' }));
    return EXIT.ok;
  },
};

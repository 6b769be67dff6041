import type { Harness, Person } from './harness.ts';

/** The person with the token of a new log-in, which counts as a fresh proof for five minutes; for tests. */
export async function logInAgain(h: Harness, person: Person): Promise<Person> {
  const { token } = await h.kernel.sessions.open(h.db, {
    user_id: person.user_id,
    method: 'password',
  });
  return Object.assign(person, { token });
}

import { expect } from 'vitest';
import type { TeamRole } from '#kernel/http/declare/team-mark.ts';
import type { Body, Harness, Person } from './harness.ts';
import { logInAgain } from './log-in-again.ts';
import { linkIn, mailTo } from './mails.ts';

const INVITED = /invited to a team/;

/** The token in the newest invitation to an address. */
export const invitationToken = async (h: Harness, email: string): Promise<string> =>
  linkIn(await mailTo(h, email, INVITED)).token;

export const invite = (h: Harness, as: Person, email: string, team_role: TeamRole) =>
  h.call('POST /team/invitations', { as, body: { email, team_role } });

export const acceptInvitation = (
  h: Harness,
  token: string,
  more: object = {},
): Promise<[number, Body]> =>
  h.call('POST /team/invitations/accept', {
    as: 'nobody',
    body: { token, username: 'Ratna', password: 'four words of hers', ...more },
  });

/** Somebody whom an owner has invited, and who has joined. */
export async function joined(h: Harness, owner: Person, team_role: TeamRole): Promise<Person> {
  const { client_id } = owner;
  const email = `${team_role}-${h.clock.now().getTime()}-${Math.random()}@example.test`;
  const [status] = await invite(h, owner, email, team_role);
  expect(status).toBe(201);
  const password = 'four words of hers';
  const [accepted, { data }] = await acceptInvitation(h, await invitationToken(h, email));
  expect([accepted, data.team_role]).toEqual([201, team_role]);
  const { user_id, username } = data;
  const { token } = await h.kernel.sessions.open(h.db, { user_id, method: 'password' });
  return { user_id, client_id, username, email, password, token };
}

/** The code of a refusal. */
export const refusal = ([, { error }]: [number, Body]): string | undefined => error?.code;

/** The same person with a log-in of now. */
export const freshly = (h: Harness, person: Person): Promise<Person> =>
  logInAgain(h, { ...person });

import { OPERATOR_CLIENT_ID } from '#kernel/access/authenticator.ts';
import type { Flow } from '../plan/workload.ts';
import { numberOf, textOf } from './answer.ts';
import type { Call, Corrector } from './cast.ts';
import { logIn } from './cast.ts';
import { Open } from './client.ts';

/** A person with a client of their own, or an admin of the operator, who is stopped during a run. */
export interface Guest {
  readonly user_id: number;
  readonly client_id: number;
  readonly password: string;
  /** From before the stop. */
  readonly token: string;
  /** One that is valid after it, always the same; by a new log-in if the person was stopped. Throws `Open`. */
  enter(): Promise<string>;
}

interface Inviting {
  readonly seed: number;
  readonly operator: Corrector;
  readonly api: Call;
}

/** One for each flow with a stop. */
export async function inviteGuests(
  inviting: Inviting,
  flows: readonly Flow[],
): Promise<ReadonlyMap<string, Guest>> {
  const guests = new Map<string, Guest>();
  for (const flow of flows)
    if (flow.kind === 'stop') guests.set(flow.name, await invite(inviting, flow));
  return guests;
}

async function invite(
  inviting: Inviting,
  { name, whom }: Extract<Flow, { kind: 'stop' }>,
): Promise<Guest> {
  const { seed, operator, api } = inviting;
  const alias = `guest-${seed}-${name.replace('.', '-')}`;
  const client_id = whom === 'person' ? OPERATOR_CLIENT_ID : await newClient(inviting, alias);
  const email = `${alias}@demo.test`;
  const made = await api('POST /admins/users', {
    token: operator.token,
    body: {
      client_id,
      username: alias,
      email,
      role: 'admin',
      phone: '+6562345678',
      country_code: 'SG',
    },
  });
  const password = textOf(made, 'temp_password');
  const { token, user_id } = await logIn(api, email, password);
  await api('POST /wallets/fiat', { token, body: { currency: 'USD' } });
  let entered = whom === 'client' ? token : undefined;
  const enter = async () => {
    entered ??= await logIn(api, email, password).then(
      (again) => again.token,
      (error: Error) => {
        throw new Open(error.message);
      },
    );
    return entered;
  };
  return { user_id, client_id, password, token, enter };
}

async function newClient({ api }: Inviting, alias: string): Promise<number> {
  const made = await api('POST /clients/create_with_admin', {
    body: {
      email: `${alias}-admin@demo.test`,
      client_alias: alias,
      client_type: 'BUSINESS',
      country_code: 'SG',
      phone: '+6562345678',
    },
  });
  return numberOf(made, 'client.client_id');
}

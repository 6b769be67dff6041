import { useState } from 'react';
import { useChange } from '../data.ts';
import type { LeftByUser, Organisation, Person, Stop } from '../stop-shapes.ts';
import { Ident } from '../ui/ident.tsx';
import { Part } from '../ui/page.tsx';
import { Person as Somebody } from '../ui/person.tsx';
import { Tag } from '../ui/tag.tsx';
import { When } from '../ui/when.tsx';
import { Left } from './left.tsx';
import { StopClient, StopOrLetIn } from './stop.tsx';

/** The users that a search finds. */
export const People = ({ people }: { people: readonly Person[] }) => (
  <Part title={people.length === 1 ? 'Person' : 'People'}>
    <ul className="cards">
      {people.map((person) => (
        <li key={person.user_id} className="card">
          <h3>
            {person.username} <Tag word={person.user_status} />
          </h3>
          <dl className="facts">
            <dt>Number</dt>
            <dd>
              <Ident id={String(person.user_id)} search />
            </dd>
            <dt>E-mail</dt>
            <dd>{person.email ? <Ident id={person.email} search /> : 'none'}</dd>
            <dt>Role</dt>
            <dd>
              {person.role} of client {person.client_id}
            </dd>
            <Stopped stop={person} />
          </dl>
          <StopPerson person={person} />
        </li>
      ))}
    </ul>
  </Part>
);

/** Clients of that name, and those of the users found. */
export const Clients = ({ clients }: { clients: readonly Organisation[] }) => (
  <Part title={clients.length === 1 ? 'Client' : 'Clients'}>
    <ul className="cards">
      {clients.map((client) => (
        <li key={client.client_id} className="card">
          <h3>
            {client.client_alias} <Tag word={client.client_status} />
          </h3>
          <dl className="facts">
            <dt>Number</dt>
            <dd>{client.client_id}</dd>
            <dt>Code</dt>
            <dd>
              <Ident id={client.client_code} search />
            </dd>
            <dt>E-mail</dt>
            <dd>
              <Ident id={client.email} search />
            </dd>
            <Stopped stop={client} />
          </dl>
          <StopClient client={client} isStopped={client.is_stopped} />
        </li>
      ))}
    </ul>
  </Part>
);

/** Since when, by whom and why, as far as it is recorded. */
const Stopped = ({ stop: { stopped_at, stopped_by, reason } }: { stop: Stop }) =>
  stopped_at !== null && (
    <>
      <dt>Stopped</dt>
      <dd>
        <When at={stopped_at} />
        {stopped_by !== null && (
          <>
            {' '}
            by <Somebody id={stopped_by} />
          </>
        )}
        : {reason}
      </dd>
    </>
  );

function StopPerson({ person: { user_id, username, is_stopped } }: { person: Person }) {
  const stop = useChange('POST /admins/users/{user_id}/stop');
  const letIn = useChange('POST /admins/users/{user_id}/let-in');
  const [stopped, setStopped] = useState<{ readonly reason: string; readonly left: LeftByUser }>();
  const params = { user_id };
  const stopFor = async (reason: string, more: { end_keys?: boolean } = {}) => {
    const { left } = await stop.mutateAsync({ params, body: { reason, ...more } });
    setStopped({ reason, left });
  };
  return (
    <>
      <StopOrLetIn
        name={username}
        isStopped={is_stopped}
        stops="All log-ins end at once, none is opened, and no key acts in this person’s name. What they have ordered or proposed is void."
        onStop={(reason) => stopFor(reason)}
        onLetIn={(reason) => letIn.mutateAsync({ params, body: { reason } })}
      />
      {stopped && (
        <Left
          name={username}
          left={stopped.left}
          onClose={() => setStopped(undefined)}
          onEndKeys={() => stopFor(stopped.reason, { end_keys: true })}
        />
      )}
    </>
  );
}

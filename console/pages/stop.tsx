import { useState } from 'react';
import { useChange } from '../data.ts';
import type { Client } from '../shapes.ts';
import type { LeftByClient } from '../stop-shapes.ts';
import { Act } from '../ui/act.tsx';
import { Area } from '../ui/field.tsx';
import { Left } from './left.tsx';

interface StopProps {
  readonly name: string;
  readonly isStopped: boolean;
  /** The consequences of a suspension. */
  readonly stops: string;
  readonly onStop: (reason: string) => Promise<unknown>;
  readonly onLetIn: (reason: string) => Promise<unknown>;
}

/** The button that fits the present state; both need a reason. */
export const StopOrLetIn = ({ name, isStopped, stops, onStop, onLetIn }: StopProps) => (
  <Act
    key={String(isStopped)}
    verb={isStopped ? 'Let in' : 'Stop'}
    title={isStopped ? `Let ${name} in again?` : `Stop ${name}?`}
    done={isStopped ? `${name} is let in again` : `${name} is stopped`}
    danger={!isStopped}
    onDo={({ reason = '' }) => (isStopped ? onLetIn : onStop)(reason)}
  >
    <p>{isStopped ? 'Keys work again as they did, and log-ins are opened again.' : stops}</p>
    <Area label="Why" name="reason" hint="Stays on record." maxLength={500} required />
  </Act>
);

interface ClientProps {
  readonly client: Pick<Client, 'client_id' | 'client_alias'>;
  readonly isStopped: boolean;
}

export function StopClient({ client: { client_id, client_alias }, isStopped }: ClientProps) {
  const stop = useChange('POST /clients/{client_id}/stop');
  const letIn = useChange('POST /clients/{client_id}/let-in');
  const [left, setLeft] = useState<LeftByClient>();
  const params = { client_id };
  return (
    <>
      <StopOrLetIn
        name={client_alias}
        isStopped={isStopped}
        stops="All its keys and log-ins are refused at once, and its webhooks wait. Changes of accounts that its admins have proposed are void."
        onStop={async (reason) =>
          setLeft((await stop.mutateAsync({ params, body: { reason } })).left)
        }
        onLetIn={(reason) => letIn.mutateAsync({ params, body: { reason } })}
      />
      {left && <Left name={client_alias} left={left} onClose={() => setLeft(undefined)} />}
    </>
  );
}

import type { ReactNode } from 'react';
import type { LeftByClient, LeftByUser } from '../stop-shapes.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Form } from '../ui/form.tsx';
import { Ident } from '../ui/ident.tsx';
import { Person } from '../ui/person.tsx';

interface LeftProps {
  readonly name: string;
  readonly left: LeftByClient | LeftByUser;
  readonly onClose: () => void;
  /** Of a user: ends the listed keys. */
  readonly onEndKeys?: () => Promise<unknown>;
}

const isOfUser = (left: LeftByClient | LeftByUser): left is LeftByUser => 'keys' in left;

/** The orders, endpoints and keys that a suspension has voided or left. Nothing where there is neither. */
export function Left({ name, left, onClose, onEndKeys }: LeftProps) {
  const { orders_voided } = left;
  const { proposals_voided, webhook_endpoints, keys, keys_ended } = isOfUser(left) ? left : NOTHING;
  const lists = [orders_voided, proposals_voided, webhook_endpoints, keys];
  if (keys_ended + lists.reduce((sum, { length }) => sum + length, 0) === 0) return null;
  return (
    <Dialog title={`What ${name} had set going`} onClose={onClose}>
      <List
        title="Changes of accounts that do not take effect"
        rows={orders_voided.map(({ change_id, kind, user_id }) => (
          <li key={change_id}>
            {kind} of <Person id={user_id} />
          </li>
        ))}
      />
      <List
        title="Corrections that are not booked"
        rows={proposals_voided.map((id) => (
          <li key={id}>
            <Ident id={id} />
          </li>
        ))}
      />
      <List
        title="Webhook endpoints that are paused until another admin resumes them"
        rows={webhook_endpoints.map(({ endpoint_id, url }) => (
          <li key={endpoint_id}>
            <Ident id={url} />
          </li>
        ))}
      />
      {keys_ended > 0 && <p className="list">Keys that have ended: {keys_ended}.</p>}
      <List
        title="Keys that still work, for the application of the client"
        rows={keys.map(({ key_id, api_key, provider_name }) => (
          <li key={key_id}>
            <code>{api_key}</code> for {provider_name}
          </li>
        ))}
      />
      {keys.length > 0 && onEndKeys ? (
        <Form
          send="End the keys"
          danger
          onSend={onEndKeys}
          beside={<Button onClick={onClose}>Keep them</Button>}
        />
      ) : (
        <div className="buttons">
          <Button onClick={onClose}>Close</Button>
        </div>
      )}
    </Dialog>
  );
}

const NOTHING = { proposals_voided: [], webhook_endpoints: [], keys: [], keys_ended: 0 } as const;

interface ListProps {
  readonly title: string;
  readonly rows: readonly ReactNode[];
}

const List = ({ title, rows }: ListProps) =>
  rows.length > 0 && (
    <section className="list">
      <h3>{title}</h3>
      <ul>{rows}</ul>
    </section>
  );

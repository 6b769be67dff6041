import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { ask } from '../api.ts';
import { client, useAsk, useMe } from '../data.ts';
import type { WebhookEndpoint } from '../developer-shapes.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Area, Field } from '../ui/field.tsx';
import { type Filled, Form } from '../ui/form.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Page } from '../ui/page.tsx';
import { SecretOnce } from '../ui/secret-once.tsx';
import { Table } from '../ui/table.tsx';
import { Tag } from '../ui/tag.tsx';
import { When } from '../ui/when.tsx';
import { say } from '../words/say.ts';

/** The addresses that get events, and how each is. */
export function WebhooksPage() {
  const { data: me } = useMe();
  const found = useAsk('GET /webhook-endpoints', { query: {} }, { every: 10_000 });
  return (
    <Page title="Webhooks" beside={me?.may.includes('developers:write') && <AddEndpoint />}>
      <Loaded of={found}>{({ data }) => <Endpoints rows={data.endpoints} />}</Loaded>
    </Page>
  );
}

const Endpoints = ({ rows }: { rows: readonly WebhookEndpoint[] }) => (
  <Table
    label="Webhook endpoints"
    rows={rows}
    keyOf={({ endpoint_id }) => endpoint_id}
    empty="There is no endpoint yet: nothing is sent."
    columns={[
      {
        head: 'Address',
        cell: ({ url, description }) => (
          <>
            <code className="long">{url}</code>
            {description && <p className="soft">{description}</p>}
          </>
        ),
      },
      { head: 'Events', cell: ({ types }) => types.join(', ') },
      { head: 'Status', cell: (one) => <Health one={one} /> },
      {
        head: 'Last taken',
        cell: ({ last_success_at: at }) => (at === null ? say('never') : <When at={at} />),
      },
      {
        head: 'Action',
        isAction: true,
        cell: ({ endpoint_id }) => (
          <Link className="button plain" to="/webhooks/$id" params={{ id: endpoint_id }}>
            {say('Open')}
          </Link>
        ),
      },
    ]}
  />
);

/** Its status, since when it fails and when it is asked again. */
export const Health = ({ one }: { one: WebhookEndpoint }) => (
  <>
    <Tag word={one.status} />
    {one.failures > 0 && (
      <p className="soft">{say('{count} failures in a row', { count: one.failures })}</p>
    )}
    {one.disabled_why && <p className="soft">{one.disabled_why.replaceAll('_', ' ')}</p>}
    {one.next_probe_at && (
      <p className="soft">
        {say('Asked again')} <When at={one.next_probe_at} />
      </p>
    )}
  </>
);

/** Asks for an address, and shows its secret once: the answer is kept nowhere. */
function AddEndpoint() {
  const [state, setState] = useState<'closed' | 'open' | { readonly secret: string }>('closed');
  const close = () => {
    setState('closed');
    void client.invalidateQueries();
  };
  const add = async ({ url = '', types = '', description = '' }: Filled) => {
    const body = { url, types: types.split(/[\s,]+/).filter(Boolean), description };
    const { data } = await ask('POST /webhook-endpoints', { body });
    setState({ secret: data.secret });
  };
  return (
    <>
      <Button look="main" aria-haspopup="dialog" onClick={() => setState('open')}>
        Add an endpoint
      </Button>
      {state !== 'closed' && (
        <Dialog title="Add an endpoint" onClose={close}>
          {state === 'open' ? (
            <Form send="Add" onSend={add} beside={<Button onClick={close}>Cancel</Button>}>
              <Field
                label="Address"
                hint="Public, by https. It gets what happens from now on."
                name="url"
                type="url"
                maxLength={2000}
                required
              />
              <Area
                label="Events"
                hint="Types with blanks between them, such as payment.* wallet.credited"
                name="types"
                defaultValue="payment.*"
                required
              />
              <Field label="Description" name="description" maxLength={200} />
            </Form>
          ) : (
            <SecretOnce secret={state.secret} onClose={close}>
              Verify what arrives with this secret.
            </SecretOnce>
          )}
        </Dialog>
      )}
    </>
  );
}

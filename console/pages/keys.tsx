import { useState } from 'react';
import { ask } from '../api.ts';
import { client, useAsk, useMe } from '../data.ts';
import type { ApiKey } from '../developer-shapes.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Area, Field, Select } from '../ui/field.tsx';
import { type Filled, Form } from '../ui/form.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Page } from '../ui/page.tsx';
import { SecretOnce } from '../ui/secret-once.tsx';
import { Table } from '../ui/table.tsx';
import { When } from '../ui/when.tsx';
import { say } from '../words/say.ts';

const DAY_S = 24 * 3600;

/** The API keys of the signed-in person. A whole key is shown once, when it is made. */
export function KeysPage() {
  const { data: me } = useMe();
  const found = useAsk('GET /keys/sdk-key', { query: {} });
  return (
    <Page title="API keys" beside={me?.may.includes('developers:write') && <MakeKey />}>
      <p className="soft">
        {say('Your own keys. A key may do what its scopes and your role allow at that moment.')}
      </p>
      <Loaded of={found}>{({ data }) => <Keys rows={data} />}</Loaded>
    </Page>
  );
}

const Keys = ({ rows }: { rows: readonly ApiKey[] }) => (
  <Table
    label="API keys, newest first"
    rows={rows}
    keyOf={({ api_key, created_at }) => `${api_key} ${created_at}`}
    empty="You have no API key yet."
    columns={[
      {
        head: 'Key',
        cell: ({ api_key, provider_name }) => (
          <>
            <strong>{provider_name}</strong>
            <br />
            <code>{api_key}</code>
          </>
        ),
      },
      { head: 'Scopes', cell: ({ scopes }) => scopes.join(', ') },
      { head: 'Made', cell: ({ created_at }) => <When at={created_at} /> },
      {
        head: 'Last used',
        cell: ({ last_used, last_ip }) =>
          last_used === null ? (
            say('never')
          ) : (
            <>
              <When at={last_used} />
              {last_ip && <p className="soft">{last_ip}</p>}
            </>
          ),
      },
      { head: 'Calls', isNumber: true, cell: ({ usage_count }) => usage_count },
      { head: 'Version', cell: ({ api_version }) => api_version },
      {
        head: 'Ends',
        cell: ({ expires_at }) => (expires_at === null ? say('never') : <When at={expires_at} />),
      },
    ]}
  />
);

function MakeKey() {
  const [state, setState] = useState<'closed' | 'open' | { readonly key: string }>('closed');
  const close = () => {
    setState('closed');
    void client.invalidateQueries();
  };
  const make = async ({ provider_name = '', scopes = '', days = '' }: Filled) => {
    const given = scopes.split(/[\s,]+/).filter(Boolean);
    const { api_key } = await ask('POST /keys/sdk-key', {
      body: {
        provider_name,
        ...(given.length > 0 && { scopes: given }),
        ...(days && { expires_in: Number(days) * DAY_S }),
      },
    });
    setState({ key: api_key });
  };
  return (
    <>
      <Button look="main" aria-haspopup="dialog" onClick={() => setState('open')}>
        Make a key
      </Button>
      {state !== 'closed' && (
        <Dialog title="Make a key" onClose={close}>
          {state === 'open' ? (
            <Form send="Make" onSend={make} beside={<Button onClick={close}>Cancel</Button>}>
              <Field label="Name" name="provider_name" maxLength={50} required />
              <Area
                label="Scopes"
                hint="With blanks between them, such as payments:read webhook-endpoints:*; * is all that your role allows."
                name="scopes"
                defaultValue="*"
              />
              <Select
                label="Ends"
                name="days"
                defaultValue="365"
                options={[
                  ['30', 'in 30 days'],
                  ['365', 'in a year'],
                  ['', 'never'],
                ]}
              />
            </Form>
          ) : (
            <SecretOnce secret={state.key} onClose={close}>
              Programs send it as x-api-key.
            </SecretOnce>
          )}
        </Dialog>
      )}
    </>
  );
}

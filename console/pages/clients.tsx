import { usePages } from '../data.ts';
import type { Client } from '../shapes.ts';
import { Ident } from '../ui/ident.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { More } from '../ui/more.tsx';
import { Page } from '../ui/page.tsx';
import { Table } from '../ui/table.tsx';
import { Tag } from '../ui/tag.tsx';
import { When } from '../ui/when.tsx';
import { StopClient } from './stop.tsx';

const PAGE = 50;

/** All clients, newest first. */
export function ClientsPage() {
  const clients = usePages('GET /clients', { limit: PAGE }, (page) =>
    page.length === PAGE ? page.at(-1)?.client_id : undefined,
  );
  return (
    <Page title="Clients">
      <Loaded of={clients}>
        {({ pages }) => (
          <Table
            label="Clients, newest first"
            rows={pages.flat()}
            keyOf={({ client_id }) => client_id}
            empty="There is no client yet."
            columns={[
              { head: 'No.', cell: ({ client_id }) => client_id, isNumber: true },
              { head: 'Client', cell: (client) => <Named client={client} /> },
              { head: 'Code', cell: ({ client_code }) => <Ident id={client_code} /> },
              {
                head: 'Type',
                cell: ({ client_type, country_code }) => `${client_type} ${country_code}`,
              },
              { head: 'Verification', cell: ({ ekyc_status }) => <Tag word={ekyc_status} /> },
              { head: 'Since', cell: ({ created }) => <When at={created} /> },
              { head: 'Status', cell: ({ client_status }) => <Tag word={client_status} /> },
              {
                head: 'Action',
                isAction: true,
                cell: (client) => <StopClient client={client} isStopped={isStopped(client)} />,
              },
            ]}
          />
        )}
      </Loaded>
      <More of={clients} />
    </Page>
  );
}

const Named = ({ client: { client_alias, email } }: { client: Client }) => (
  <>
    <strong>{client_alias}</strong>
    <br />
    <Ident id={email} search />
  </>
);

/** As in the service: these two statuses let a client in, and any other does not. */
const isStopped = ({ client_status }: Client): boolean =>
  !['ACTIVE', 'PENDING'].includes(client_status);

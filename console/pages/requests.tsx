import { useNavigate, useSearch } from '@tanstack/react-router';
import { useItems } from '../data.ts';
import type { RequestLine } from '../team-shapes.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { type Filled, Form } from '../ui/form.tsx';
import { Ident } from '../ui/ident.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { More } from '../ui/more.tsx';
import { Page } from '../ui/page.tsx';
import { Person } from '../ui/person.tsx';
import { Table } from '../ui/table.tsx';
import { When } from '../ui/when.tsx';

/** What programs have sent to the API in the last seven days, and how it was answered. */
export function RequestsPage() {
  const { status, ...search } = useSearch({ from: '/requests' });
  const query = { ...search, limit: 50, ...(status && { status: Number(status) }) };
  const found = useItems('GET /request-logs', query);
  return (
    <Page title="Requests">
      <Filters />
      <Loaded of={found}>
        {({ pages }) => (
          <Table
            label="Requests to the API, newest first"
            rows={pages.flatMap(({ data }) => data.items)}
            keyOf={({ request_id, at }) => `${request_id} ${at}`}
            empty="There is no such request in the last seven days."
            columns={[
              { head: 'When', cell: ({ at }) => <When at={at} /> },
              { head: 'What', cell: (line) => <What line={line} /> },
              { head: 'Answer', cell: (line) => <Answer line={line} /> },
              { head: 'Took', isNumber: true, cell: ({ ms }) => `${ms} ms` },
              { head: 'By', cell: (line) => <By line={line} /> },
              { head: 'Request', cell: ({ request_id }) => <Ident id={request_id} /> },
            ]}
          />
        )}
      </Loaded>
      <More of={found} />
    </Page>
  );
}

const What = ({ line: { method, path, idempotency } }: { line: RequestLine }) => (
  <>
    <code>
      {method} {path}
    </code>
    {idempotency === 'replayed' && <p className="soft">the earlier answer again</p>}
  </>
);

const Answer = ({ line: { status, error_code } }: { line: RequestLine }) => (
  <>
    <strong>{status}</strong>
    {error_code !== null && (
      <p className="soft">
        <a href={`/docs/errors#${error_code}`}>{error_code}</a>
      </p>
    )}
  </>
);

const By = ({ line: { key_prefix, user_id } }: { line: RequestLine }) => (
  <>
    {key_prefix !== null && <code>{key_prefix}…</code>}
    {user_id !== null && (
      <p className="soft">
        <Person id={user_id} />
      </p>
    )}
    {key_prefix === null && user_id === null && <span className="soft">no key</span>}
  </>
);

function Filters() {
  const navigate = useNavigate();
  const search = useSearch({ from: '/requests' });
  const show = (wanted: Filled) =>
    navigate({
      to: '/requests',
      search: Object.fromEntries(Object.entries(wanted).filter(([, value]) => value)),
      replace: true,
    });
  return (
    <div className="filters">
      <Form
        key={JSON.stringify(search)}
        send="Show"
        onSend={show}
        beside={
          Object.keys(search).length > 0 && <Button onClick={() => show({})}>Show all</Button>
        }
      >
        <Field label="Address of the operation" name="path" defaultValue={search.path} />
        <Field label="Code of the error" name="error_code" defaultValue={search.error_code} />
        <Field
          label="Status"
          name="status"
          inputMode="numeric"
          pattern="[1-5][0-9]{2}"
          defaultValue={search.status}
        />
      </Form>
    </div>
  );
}

import { useNavigate, useSearch } from '@tanstack/react-router';
import { Fragment } from 'react';
import { usePages } from '../data.ts';
import type { AuditEntry } from '../team-shapes.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { Ident } from '../ui/ident.tsx';
import { Details } from '../ui/json.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { More } from '../ui/more.tsx';
import { Page } from '../ui/page.tsx';
import { Person } from '../ui/person.tsx';
import { Table } from '../ui/table.tsx';
import { When } from '../ui/when.tsx';

/** Actions of admins, newest first. */
export function AuditPage() {
  const { action } = useSearch({ from: '/audit' });
  const entries = usePages('GET /admins/audit', { limit: 50, action }, (page) => page.next_before);
  return (
    <Page title="Audit">
      <Filter />
      <Loaded of={entries}>
        {({ pages }) => (
          <Table
            label="What admins did, newest first"
            rows={pages.flatMap((page) => page.entries)}
            keyOf={({ id }) => id}
            empty="Nothing of the kind is on record."
            columns={[
              { head: 'When', cell: ({ at }) => <When at={at} /> },
              { head: 'What', cell: (entry) => <What entry={entry} /> },
              { head: 'Whom', cell: (entry) => <Whom entry={entry} /> },
              {
                head: 'Details',
                cell: ({ details, request_id }) => (
                  <Details value={{ ...(details as object), request_id }} />
                ),
              },
            ]}
          />
        )}
      </Loaded>
      <More of={entries} />
    </Page>
  );
}

function Filter() {
  const navigate = useNavigate();
  const { action } = useSearch({ from: '/audit' });
  const narrow = (word: string | undefined) =>
    navigate({ to: '/audit', search: word ? { action: word } : {}, replace: true });
  return (
    <div className="filters">
      <Form
        key={action}
        send="Show"
        onSend={async (filled) => narrow(filled['action']?.toUpperCase())}
        beside={action && <Button onClick={() => narrow(undefined)}>Show all</Button>}
      >
        <Field
          label="Only of this kind"
          name="action"
          defaultValue={action}
          placeholder="WORK_REDRIVEN"
          pattern="[A-Za-z0-9_]{1,60}"
        />
      </Form>
    </div>
  );
}

const What = ({ entry: { action, actor_username, actor_user_id, ip } }: { entry: AuditEntry }) => (
  <>
    <strong>
      {/* A long one may end its line after a word of its name, not within one. */}
      {[...action.matchAll(/[^_]*_?/g)].map(({ 0: word, index }) => (
        <Fragment key={index}>
          {word}
          <wbr />
        </Fragment>
      ))}
    </strong>
    <p className="soft">
      by {actor_user_id === null ? actor_username : <Ident id={actor_username} search />}
      {ip && ` from ${ip}`}
    </p>
  </>
);

const Whom = ({ entry: { subject_user_id, client_id } }: { entry: AuditEntry }) => (
  <>
    {subject_user_id !== null && <Person id={subject_user_id} />}
    {client_id !== null && <p className="soft">client {client_id}</p>}
  </>
);

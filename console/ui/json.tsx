import { withAmounts } from '../amount.ts';
import { Ident } from './ident.tsx';
import { Person } from './person.tsx';

/** Any value, for users who have to see all of it. */
export const Json = ({ value }: { value: unknown }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: users without a mouse scroll it by its keys.
  <pre tabIndex={0}>{JSON.stringify(value, undefined, 2)}</pre>
);

const isPlain = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

/** These are names, by which the search finds what they are of. */
const NAMES = ['operation', 'reference', 'reference_id', 'request_id', 'our_reference'];

interface DetailsProps {
  readonly value: unknown;
  /** Of nested values, the fields that matter at once. */
  readonly also?: object;
}

/** One-line values side by side, and all of them behind a click where there are more. */
export function Details({ value, also = {} }: DetailsProps) {
  const fields = Object.entries(value ?? {}).filter(([, field]) => field !== null);
  const plain = [...fields, ...Object.entries(also)].filter(([, field]) => isPlain(field));
  const shown = withAmounts(plain);
  return (
    <>
      {shown.length > 0 && (
        <dl className="pairs">
          {shown.map(([name, field]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <Value name={name} text={String(field)} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {fields.some(([, field]) => !isPlain(field)) && (
        <details>
          <summary>All of it</summary>
          <Json value={value} />
        </details>
      )}
    </>
  );
}

function Value({ name, text }: { name: string; text: string }) {
  const [, person] = /^(?:user:)?([1-9][0-9]{0,8})$/.exec(text) ?? [];
  if (person !== undefined && (name === 'actor' || PEOPLE.test(name)))
    return <Person id={Number(person)} />;
  return NAMES.includes(name) ? <Ident id={text} search /> : text;
}

const PEOPLE = /(^|_)user_id$/;

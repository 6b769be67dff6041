import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useMe } from '../data.ts';
import { Icon } from './icon.tsx';

interface IdentProps {
  readonly id: string;
  /** The link to its timeline, for the operator's people. */
  readonly search?: boolean;
}

/** Too long for one line of a table. */
const LONG = /[^-:]{25}/;

/** An id or reference, copied whole, whatever part of it is shown. */
export function Ident({ id, search = false }: IdentProps) {
  const [copied, setCopied] = useState(false);
  const { data: me } = useMe();
  const leads = search && me?.home === 'operator';
  const copy = async () => {
    await navigator.clipboard.writeText(id);
    setCopied(true);
  };
  const shown = <code className={LONG.test(id) ? 'long' : undefined}>{id}</code>;
  return (
    <span className="ident">
      {leads ? (
        <Link to="/timeline" search={{ q: id }}>
          {shown}
        </Link>
      ) : (
        shown
      )}
      <button
        type="button"
        className="copy"
        aria-label={copied ? `Copied ${id}` : `Copy ${id}`}
        title={copied ? 'Copied' : 'Copy'}
        onClick={copy}
        onBlur={() => setCopied(false)}
      >
        <Icon name={copied ? 'done' : 'copy'} />
      </button>
    </span>
  );
}

import { type ReactNode, useEffect, useRef } from 'react';
import { say } from '../words/say.ts';

interface PageProps {
  readonly title: string;
  /** Beside the heading: actions. */
  readonly beside?: ReactNode;
  readonly children: ReactNode;
}

let isFirst = true;

/** One screen. A user who comes from another one continues at its heading, also with a screen reader. */
export function Page({ title, beside, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!isFirst) heading.current?.focus();
    isFirst = false;
  }, []);
  return (
    <>
      <title>{`${say(title)} · Archipay console`}</title>
      <div className="head">
        <h1 ref={heading} tabIndex={-1}>
          {say(title)}
        </h1>
        {beside}
      </div>
      {children}
    </>
  );
}

/** A part of a screen under a heading of its own. */
export const Part = ({ title, children }: { title: ReactNode; children: ReactNode }) => (
  <section className="part">
    <h2>{typeof title === 'string' ? say(title) : title}</h2>
    {children}
  </section>
);

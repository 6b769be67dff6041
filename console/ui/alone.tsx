import type { ReactNode } from 'react';

/** A page without a signed-in user. */
export const Alone = ({ title, children }: { title: string; children: ReactNode }) => (
  <main className="alone">
    <title>{`${title} · Archipay console`}</title>
    <p className="brand">
      Archipay <span>console</span>
    </p>
    <h1>{title}</h1>
    {children}
  </main>
);

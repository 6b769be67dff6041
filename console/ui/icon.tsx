const PATHS = {
  search: 'M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14Zm5 12 4.5 4.5',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  done: 'm5 12.5 4.5 4.5L19 7.5',
  menu: 'M4 7h16M4 12h16M4 17h16',
  close: 'm6 6 12 12M18 6 6 18',
  alert: 'M12 4 2.5 20h19L12 4Zm0 6v5m0 2.4v.1',
} as const;

/** A sign beside words of the same meaning; screen readers skip it. */
export const Icon = ({ name }: { name: keyof typeof PATHS }) => (
  <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
);

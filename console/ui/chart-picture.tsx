import { scaleBand, scaleLinear } from 'd3-scale';
import { line } from 'd3-shape';
import type { ChartProps } from './chart.tsx';

const WIDTH = 720;
const HEIGHT = 220;
const EDGE = { top: 12, right: 8, bottom: 26, left: 64 };

/** Bars and lines over days; the chosen one stands out. */
export function Picture({
  title,
  series,
  points,
  tick,
  top,
  id,
  place,
}: ChartProps & { id: string; place: number }) {
  const highest = Math.max(0, ...points.flatMap(({ heights }) => heights.map((one) => one ?? 0)));
  const y = scaleLinear([0, top ?? (highest || 1)], [HEIGHT - EDGE.bottom, EDGE.top]).nice(4);
  const x = scaleBand(
    points.map(({ at }) => at),
    [EDGE.left, WIDTH - EDGE.right],
  ).padding(0.25);
  const middle = (at: string) => (x(at) ?? 0) + x.bandwidth() / 2;
  const every = Math.ceil(points.length / 6);
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-labelledby={id}>
      <title>{title}</title>
      {y.ticks(4).map((height) => (
        <g key={height} className="tick">
          <path d={`M${EDGE.left} ${y(height)}H${WIDTH - EDGE.right}`} />
          <text x={EDGE.left - 8} y={y(height) + 4} textAnchor="end">
            {tick(height)}
          </text>
        </g>
      ))}
      {points.map(({ at }, n) =>
        n % every === 0 ? (
          <text key={at} x={middle(at)} y={HEIGHT - 8} textAnchor="middle">
            {at.slice(5)}
          </text>
        ) : null,
      )}
      {series.map(({ name, look }, n) =>
        look === 'bars' ? (
          points.map(({ at, heights }, p) => (
            <rect
              key={at}
              className={p === place ? 'bar chosen' : 'bar'}
              x={x(at)}
              width={x.bandwidth()}
              y={y(heights[n] ?? 0)}
              height={Math.max(0, y(0) - y(heights[n] ?? 0))}
            />
          ))
        ) : (
          <Line
            key={name}
            of={points.map(({ at, heights }) => [middle(at), heights[n] ?? null, y])}
            look={look}
          />
        ),
      )}
    </svg>
  );
}

type Place = readonly [x: number, height: number | null, y: (height: number) => number];

/** A gap where a day has no figure; a lone point is a dot. */
function Line({ of, look }: { of: readonly Place[]; look: string }) {
  const path = line<Place>()
    .defined(([, height]) => height !== null)
    .x(([at]) => at)
    .y(([, height, y]) => y(height ?? 0));
  return <path className={look} d={path([...of]) ?? ''} />;
}

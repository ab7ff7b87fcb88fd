/** Shapes that the library draws by a function: bands and whiskers. */

interface Drawing {
  coord: (value: readonly [number, number]) => [number, number];
}

interface Spread {
  x: number;
  low: number;
  high: number;
}

/** An area between two lines. One shape holds all its points, so that it is clipped and drawn as one. */
export function bandSeries(name: string, spread: readonly Spread[], color: string) {
  return {
    type: "custom",
    name,
    silent: true,
    clip: true,
    z: 1,
    encode: { x: 0, y: [1, 2] },
    data: spread.map(({ x, low, high }) => [x, low, high]),
    renderItem: ({ dataIndex }: { dataIndex: number }, api: Drawing) => {
      if (dataIndex !== 0) return null;
      const over = spread.map(({ x, high }) => api.coord([x, high]));
      const under = spread.map(({ x, low }) => api.coord([x, low])).reverse();
      return {
        type: "polygon",
        shape: { points: [...over, ...under] },
        style: { fill: color, opacity: 0.16 },
      };
    },
  };
}

/** Upright lines with caps from low to high; x is the place among the categories. */
export function whiskerSeries(spread: readonly Spread[], color: string) {
  return {
    type: "custom",
    silent: true,
    z: 1,
    encode: { x: 0, y: [1, 2] },
    data: spread.map(({ x, low, high }) => [x, low, high]),
    renderItem: ({ dataIndex }: { dataIndex: number }, api: Drawing) => {
      const own = spread[dataIndex];
      if (!own) return null;
      const [x, top] = api.coord([own.x, own.high]);
      const [, bottom] = api.coord([own.x, own.low]);
      return {
        type: "path",
        shape: { pathData: `M${x - 5} ${top}h10M${x} ${top}V${bottom}M${x - 5} ${bottom}h10` },
        style: { fill: "none", stroke: color, lineWidth: 1.75 },
      };
    },
  };
}

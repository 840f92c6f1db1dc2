import { CHART_COLORS } from '@trellis/contract/charts/charts.schemas'

type ChartColor = (typeof CHART_COLORS)[number]

export interface ChartTheme {
  readonly text: string
  readonly muted: string
  readonly line: string
  readonly surface: string
  readonly font: string
  readonly colors: Readonly<Record<ChartColor, string>>
}

/** Canvas cannot use CSS variables: read their current values. */
export function readChartTheme(element: Element): ChartTheme {
  const style = getComputedStyle(element)
  const token = (name: string) => style.getPropertyValue(`--${name}`).trim()
  return {
    text: token('text-primary'),
    muted: token('text-secondary'),
    line: token('border-default'),
    surface: token('bg-surface'),
    font: style.fontFamily,
    colors: Object.fromEntries(CHART_COLORS.map((name) => [name, token(name)])) as Record<ChartColor, string>,
  }
}

export const formatRowCount = (rows: number): string => (rows === 1 ? 'One row' : `${rows.toLocaleString('en')} rows`)

export const formatEmptiedValues = (values: number): string =>
  values === 1
    ? 'One value did not fit and is left empty.'
    : `${values.toLocaleString('en')} values did not fit and are left empty.`

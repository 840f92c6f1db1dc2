import type { AwkwardFile } from './load-cells.ts'

const createJsonFile = (name: string, content: string, more: Partial<AwkwardFile>): AwkwardFile => ({
  name,
  content,
  fileName: 'file.json',
  ...more,
})
const COLUMNS = ['a:integer', 'b:text']
const ROWS = [
  ['1', 'x'],
  ['2', 'y'],
]

export const JSON_FILES: AwkwardFile[] = [
  createJsonFile('names beside a list of lists', '{"columns":["a","b"],"index":[0,1],"data":[[1,"x"],[2,"y"]]}', {
    columns: COLUMNS,
    rows: ROWS,
  }),
  createJsonFile(
    'names and types beside a list of lists',
    '{"columns":[{"name":"a","type":"long"},{"name":"b","type":"text"}],"rows":[[1,"x"],[2,"y"]]}',
    { columns: COLUMNS, rows: ROWS },
  ),
  createJsonFile('names beside texts alone', '{"columns":["a","b"],"data":[["p","x"],["q","y"]]}', {
    columns: ['a:text', 'b:text'],
    rows: [
      ['p', 'x'],
      ['q', 'y'],
    ],
  }),
  createJsonFile('minus zero', '[{"a":-0.0,"b":"x"},{"a":1.5,"b":"y"}]', {
    columns: ['a:decimal', 'b:text'],
    rows: [
      ['0.0', 'x'],
      ['1.5', 'y'],
    ],
    warning: /“a”: -0\.0 is read as 0\.0\./,
  }),
  createJsonFile('JSON lines', '{"a":1,"b":"x"}\n{"a":2,"b":"y"}\n', { columns: COLUMNS, rows: ROWS }),
  createJsonFile('a list of objects', '[{"a":1,"b":"x"},{"a":2,"b":"y"}]', { columns: COLUMNS, rows: ROWS }),
  createJsonFile(
    'a list over many lines',
    '[\n  {\n    "a": 1,\n    "b": "x"\n  },\n  {\n    "a": 2,\n    "b": "y"\n  }\n]\n',
    {
      columns: COLUMNS,
      rows: ROWS,
    },
  ),
  {
    name: 'a list in a file of another name',
    content: '[{"a":1,"b":"x"},{"a":2,"b":"y"}]',
    fileName: 'export.txt',
    columns: COLUMNS,
    rows: ROWS,
  },
  createJsonFile('objects over many lines', '{\n "a": 1,\n "b": "x"\n}\n{\n "a": 2,\n "b": "y"\n}\n', {
    columns: COLUMNS,
    rows: ROWS,
  }),
  createJsonFile('objects without line ends', '{"a":1,"b":"x"}{"a":2,"b":"y"}', { columns: COLUMNS, rows: ROWS }),
  createJsonFile('a mark in front', '\ufeff[{"a":1,"b":"x"},{"a":2,"b":"y"}]', { columns: COLUMNS, rows: ROWS }),
  createJsonFile('brackets and quotes in texts', '[{"a":1,"b":"x]}\\"{["},{"a":2,"b":"\\\\"}]', {
    columns: COLUMNS,
    rows: [
      ['1', 'x]}"{['],
      ['2', '\\'],
    ],
  }),
  createJsonFile('digits in quotes stay text', '{"zip":"01067","n":"5"}\n{"zip":"12345","n":"6"}\n', {
    columns: ['zip:text', 'n:text'],
    rows: [
      ['01067', '5'],
      ['12345', '6'],
    ],
  }),
  createJsonFile('numbers keep their digits', '{"id":12345678901234567890,"x":0.10000000000000000001}\n', {
    columns: ['id:decimal', 'x:decimal'],
    rows: [['12345678901234567890', '0.10000000000000000001']],
  }),
  createJsonFile('three decimals beside commas in text', '{"n":1.234,"t":"1,5"}\n{"n":2.5,"t":"2,5"}\n', {
    columns: ['n:decimal', 't:text'],
    rows: [
      ['1.234', '1,5'],
      ['2.5', '2,5'],
    ],
    isQuiet: true,
  }),
  createJsonFile('exponents', '{"n":1e5}\n{"n":2}\n', { columns: ['n:float'], rows: [['1e5'], ['2']] }),
  createJsonFile('fields that only some have', '{"a":1}\n{"b":"y"}\n', {
    columns: COLUMNS,
    rows: [
      ['1', null],
      [null, 'y'],
    ],
  }),
  createJsonFile('nested values', '{"a":{"n":1.50},"b":[1,2]}\n', {
    columns: ['a:json', 'b:json'],
    rows: [['{"n":1.50}', '[1,2]']],
  }),
  createJsonFile('answers', '{"a":true}\n{"a":false}\n{"a":null}\n', {
    columns: ['a:boolean'],
    rows: [['true'], ['false'], [null]],
    isQuiet: true,
  }),
  createJsonFile('dates', '{"d":"2024-03-31"}\n', { columns: ['d:date'], rows: [['2024-03-31']] }),
  createJsonFile('a broken line', '{"a":1,"b":"x"}\n{"a":,\n{"a":2,"b":"y"}\n', {
    columns: COLUMNS,
    rows: ROWS,
    rejected: [2],
  }),
  createJsonFile('text of words for nothing', '{"a":"NA"}\n{"a":"NULL"}\n', {
    columns: ['a:text'],
    rows: [['NA'], ['NULL']],
  }),
  createJsonFile('a field twice', '{"a":1,"b":"x"}\n{"a":2,"b":"q","b":"y"}\n', {
    columns: COLUMNS,
    rows: ROWS,
    warning: /One row has a field twice, such as “b” in line 2: "y" is loaded, "q" is not/,
  }),
  createJsonFile('a field twice in an object inside', '[{"a":{"n":1.25,"t":"}:\\",","n":[2]}},{"a":{"n":1}}]', {
    columns: ['a:json'],
    rows: [['{"n":[2],"t":"}:\\","}'], ['{"n":1}']],
    warning: /“n” in line 1: \[2\] is loaded, 1\.25 is not/,
  }),
  createJsonFile('long numbers are no fields that stand twice', '{"a":{"x":12345678901234567890,"y":[{"z":0.5}]}}\n', {
    columns: ['a:json'],
    rows: [['{"x":12345678901234567890,"y":[{"z":0.5}]}']],
    isQuiet: true,
  }),
  createJsonFile('a list of lists with names', '[["a","b"],[1,"x"],[2,"y"]]', {
    columns: COLUMNS,
    rows: ROWS,
    isQuiet: true,
  }),
  {
    name: 'a list of lists in a file of another name',
    content: '[\n ["a", "b"],\n [1, "x"],\n [2]\n]\n',
    fileName: 'export.txt',
    columns: COLUMNS,
    rows: [
      ['1', 'x'],
      ['2', null],
    ],
  },
  createJsonFile('a list of lists without names', '[[1,"x"],[2,"y"]]', {
    columns: ['column_1:integer', 'column_2:text'],
    rows: ROWS,
  }),
  createJsonFile('a list of lists with an object among them', '[["a","b"],\n[1,"x"],\n[7,"z",9],\n{"a":3},\n[2,"y"]]', {
    given: { has_header: true },
    rejected: [4],
  }),
  createJsonFile('values of a spreadsheet’s API', '{"range":"A1:B3","values":[["a","b"],[1,"x"],[2,"y"]]}', {
    columns: COLUMNS,
    rows: ROWS,
  }),
  createJsonFile('lists of nothing', '[[],[]]', { refused: /lists in the file are empty/ }),
  createJsonFile(
    'a value nested deeper than any program reads',
    `{"a":1}\n{"a":${'['.repeat(1e6)}${']'.repeat(1e6)}}\n{"a":2}\n`,
    {
      columns: ['a:integer'],
      rows: [['1'], ['2']],
      rejected: [2],
    },
  ),
  createJsonFile('a list of numbers', '[1,2,3]', { refused: /JSON object/ }),
  {
    name: 'an answer of an API with its rows in a list',
    fileName: 'orders.json',
    content:
      '{\n "total": 2,\n "data": [\n  {"id": 1, "tags": ["a]", "}"]},\n  {"id": 2, "tags": []}\n ],\n "next": null\n}\n',
    columns: ['id:integer', 'tags:json'],
    rows: [
      ['1', '["a]","}"]'],
      ['2', '[]'],
    ],
  },
  {
    name: 'results in an object of nothing else',
    content: '{"people":[{"name":"Ada"},{"name":"Bob"}]}',
    columns: ['name:text'],
    rows: [['Ada'], ['Bob']],
  },
  {
    name: 'GeoJSON',
    content:
      '{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[8.5,47.25]},"properties":{"n":1}}]}',
    columns: ['type:text', 'geometry:json', 'properties:json'],
    rows: [['Feature', '{"type":"Point","coordinates":[8.5,47.25]}', '{"n":1}']],
  },
  {
    name: 'an order with its lines, which is one row',
    content: '{"id":7,"lines":[{"sku":"a"},{"sku":"b"}]}',
    columns: ['id:integer', 'lines:json'],
    rows: [['7', '[{"sku":"a"},{"sku":"b"}]']],
  },
  {
    name: 'the same order read as its lines',
    content: '{"id":7,"lines":[{"sku":"a"},{"sku":"b"}]}',
    given: { records_at: 'lines' },
    columns: ['sku:text'],
    rows: [['a'], ['b']],
  },
  {
    name: 'lines of objects that each hold a list',
    content: '{"data":[{"a":1}]}\n{"data":[{"a":2}]}\n',
    columns: ['data:json'],
    rows: [['[{"a":1}]'], ['[{"a":2}]']],
  },
]

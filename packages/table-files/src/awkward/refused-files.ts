import type { AwkwardFile } from './load-cells.ts'

export const REFUSED_FILES: AwkwardFile[] = [
  {
    name: 'a picture',
    content: Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
    refused: /a picture \(PNG\), not a table/,
  },
  { name: 'a photograph', content: Buffer.from('ffd8ffe000104a464946', 'hex'), refused: /a picture \(JPEG\)/ },
  { name: 'a PDF', content: '%PDF-1.7\n%âãÏÓ\n1 0 obj', refused: /a PDF document/ },
  {
    name: 'a web page',
    content: '<!DOCTYPE html>\n<html><body><table><tr><td>1</td></tr></table></body></html>',
    refused: /a web page/,
  },
  {
    name: 'a table of a web page',
    content: '<table>\n<tr><td>1</td></tr></table>',
    refused: /a web page/,
  },
  {
    name: 'a script of SQL',
    content: "-- dump\nINSERT INTO `t` (a, b) VALUES (1, 'x');\nINSERT INTO `t` (a, b) VALUES (2, 'y');\n",
    refused: /a script of SQL/,
  },
  { name: 'XML', content: '<?xml version="1.0"?>\n<rows><row/></rows>', refused: /an XML file/ },
  {
    name: 'noise',
    content: () => Buffer.from(Array.from({ length: 4000 }, (_, at) => (at * 7919 + (at >> 3) * 104729) % 256)),
    refused: /not a table/,
  },
  { name: 'an SQLite database', content: 'SQLite format 3\0', refused: /an SQLite database/ },
  { name: 'nothing', content: '', refused: /empty/ },
]

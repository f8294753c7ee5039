#!/usr/bin/env python3
"""Writes the small Planetoid datasets that tests/data/planetoid_test.cpp reads.

The same graph in three forms: as Python 2 wrote it (assembled by hand, since Python 3 cannot), and
as Python 3 writes it with protocols 2 and 4. Needs numpy and scipy.
"""

import collections
import pathlib
import pickle
import struct

import numpy as np
import scipy.sparse as sp

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "tests" / "data" / "fixtures"

# Seven nodes; row 0 of tx is node 6, row 1 is node 4, node 5 has no row.
ALLX = np.array([[1, 0, 0], [0, 1, 0.5], [0, 0, 0], [1, 1, 1]], dtype=np.float32)
TX = np.array([[0, 0, 6], [4, 0, 0]], dtype=np.float32)
ALLY = np.array([[0, 1], [1, 0], [0, 1], [1, 0]], dtype=np.int32)
TY = np.array([[0, 1], [0, 1]], dtype=np.int32)
TEST_INDEX = "6\n4\n"
# Node 1 lists 0 twice, node 3 lists itself, node 5 lists nobody.
GRAPH = {0: [1, 1, 2], 2: [0], 1: [0, 0], 3: [3, 6], 6: [3, 4], 4: [6], 5: []}


def integer(value):
    return b"K" + bytes([value]) if 0 <= value < 256 else b"J" + struct.pack("<i", value)


def string(value):
    return b"U" + bytes([len(value)]) + value.encode()


def python2_array(array):
    dtype = array.dtype.str[1:]
    shape = b"(" + b"".join(integer(extent) for extent in array.shape) + b"t"
    data = array.tobytes()
    return (
        b"cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\n"
        + integer(0) + b"\x85" + string("b") + b"\x87R("
        + integer(1) + shape
        + b"cnumpy\ndtype\n" + string(dtype) + integer(0) + integer(1) + b"\x87R("
        + integer(3) + string("<") + b"NNN" + integer(-1) + integer(-1) + integer(0) + b"tb"
        + b"\x89T" + struct.pack("<i", len(data)) + data + b"tb"
    )


def python2_csr(table):
    matrix = sp.csr_matrix(table)
    return (
        b"cscipy.sparse.csr\ncsr_matrix\nq\x01)\x81q\x02}q\x03("
        + string("format") + b"q\x04" + string("csr")
        + string("_shape") + integer(matrix.shape[0]) + integer(matrix.shape[1]) + b"\x86"
        + string("indptr") + python2_array(matrix.indptr)
        + string("indices") + python2_array(matrix.indices)
        + string("data") + python2_array(matrix.data)
        + string("maxprint") + integer(50) + b"ub"
    )


def python2_graph(graph):
    result = b"ccollections\ndefaultdict\nq\x01c__builtin__\nlist\nq\x02\x85Rq\x03("
    for place, (node, neighbors) in enumerate(graph.items()):
        result += integer(node) + b"]r" + struct.pack("<I", 4 + place)
        if len(neighbors) == 1:
            result += integer(neighbors[0]) + b"a"
        elif neighbors:
            result += b"(" + b"".join(integer(neighbor) for neighbor in neighbors) + b"e"
    return result + b"u"


def write(name, pickles):
    folder = FOLDER / name
    folder.mkdir(parents=True, exist_ok=True)
    for part, content in pickles.items():
        (folder / f"ind.tiny.{part}").write_bytes(content)
    (folder / "ind.tiny.test.index").write_text(TEST_INDEX)


def main():
    features = {"x": ALLX[:2], "tx": TX, "allx": ALLX}
    labels = {"y": ALLY[:2], "ty": TY, "ally": ALLY}
    old = {part: python2_csr(table) for part, table in features.items()}
    old |= {part: python2_array(table) for part, table in labels.items()}
    old["graph"] = python2_graph(GRAPH)
    write("planetoid-python2", {part: b"\x80\x02" + body + b"." for part, body in old.items()})
    for protocol in (2, 4):
        new = {part: sp.csr_matrix(table) for part, table in features.items()} | labels
        new["graph"] = collections.defaultdict(list, GRAPH)
        write(f"planetoid-protocol{protocol}",
              {part: pickle.dumps(value, protocol) for part, value in new.items()})


if __name__ == "__main__":
    main()

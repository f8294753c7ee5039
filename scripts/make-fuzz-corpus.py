#!/usr/bin/env python3
"""Writes fuzz/corpus: a few small valid inputs for each fuzz target.

Texts are written out here; binary ones are the made-up files of tests/data/fixtures.
"""

import gzip
import json
import pathlib
import struct

TOP = pathlib.Path(__file__).resolve().parent.parent
CORPUS = TOP / "fuzz" / "corpus"
FIXTURES = TOP / "tests" / "data" / "fixtures"
NEXT_FILE = b"\n%%\n"

TEXTS = {
    "config": {
        "lines": "# how to run\nmode = slow\nruns=7 # many\n\nforce = true\nshare = 0.25\n",
        "json": '{"mode": "slow", "runs": 3, "share": 0.5, "force": false}',
        "record": '{"model": "aa", "options": {"mode": "fast", "runs": 1, "share": 1e-1}}',
    },
    "edge_list": {
        "csv": "# links\nid1,id2\n0,1\n12,3\n\n4,5\r\n7,11\n",
        "words": '"a, b"\tc\nd\t"e"\nf\tg\n',
        "blanks": "% note\n0 1\n1   2 \n 2 3\n19 4\n",
    },
    "node_table": {
        "mixed": "id,age,town,label\nanna,31,Oslo,1\nben,,Rome,0\n\"c, d\",4.5e1,Oslo,\n",
        "tabs": "node\tx\ty\n0\t1\t-2\n1\t0.5\tnan\n2\t\t3\n",
        "labels": "0\n3\n-1\n2\n",
    },
}

FILES = {
    "facebook100": ["facebook.mat", "facebook_packed.mat"],
    "npy": ["version1.npy", "version2.npy", "version3.npy", "fortran_sparse.npy"],
    "npy_zip": ["dense.zip"],
    "npz_features": ["csr.npz", "csc.npz", "coo.npz"],
    "npz_graph": ["graph_stored.npz", "graph_deflated.npz", "graph_columns.npz"],
}

SPLIT_JSON = json.dumps({
    "format": 1, "protocol": "strict", "seed": 1, "negatives_per_positive": 1,
    "graph": {"name": "g", "nodes": 20, "fingerprint": ""}})

FOLDERS = {
    "folder": {
        "numbered": ["0,1\n1,2\n2,0\n", "id,x\n0,1\n1,2\n2,0.5\n", "0\n1\n-1\n", "x\n", "0\n1\n1\n"],
        "named": ["source,target\na,b\nb,c\n", "id,x,town\na,1,Rome\nb,2,Oslo\nc,3,Rome\n"],
    },
    "geom_gcn": {
        "vectors": ["node_id\tnode_id\n0\t1\n2\t0\n",
                    "node_id\tfeature\tlabel\n1\t0,1,1\t0\n0\t1,0,0\t2\n2\t0,0,1\t1\n"],
        "lists": ["node_id\tnode_id\n0\t1\n",
                  "node_id\tfeature\tlabel\n0\t5,9,931\t0\n1\t2\t1\n"],
    },
    "musae": {
        "twitch": ["from,to\n0,1\n2,0\n", '{"2": [7, 3, 7], "0": [], "1": [9]}',
                   "id,days,mature,views,partner,new_id\n73,1,True,9,False,2\n5,2,False,4,False,0\n"
                   "8,3,True,1,True,1\n"],
        "wiki": ["id1,id2\n0,1\n1,2\n", '{"0": [1], "1": [2, 3], "2": []}',
                 "id,target\n0,5\n1,600\n2,7\n"],
    },
    "split": {
        "numbers": ["0\t1\n1\t2\n", "2\t3\n", "4\t5\n", SPLIT_JSON, "6\t7\n", "3\t4\n", "8\t9\n"],
        "names": ["a\tb\nb\tc\n", "c\td\n", "d\ta\n"],
    },
}


def safetensors():
    header = json.dumps({"__metadata__": {"model": "disenlink"},
                         "w": {"dtype": "F32", "shape": [2, 2], "data_offsets": [0, 16]}}).encode()
    return struct.pack("<Q", len(header)) + header + struct.pack("<4f", 1, -2, 0.5, 0)


def write(target, name, content):
    folder = CORPUS / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content)


def main():
    for target, texts in TEXTS.items():
        for name, text in texts.items():
            write(target, name, text.encode())
    for target, folders in FOLDERS.items():
        for name, parts in folders.items():
            write(target, name, NEXT_FILE.join(part.encode() for part in parts))
    for target, names in FILES.items():
        for name in names:
            write(target, name, (FIXTURES / name).read_bytes())
    write("edge_list", "packed", gzip.compress(b"0,1\n1,2\n2,3\n", mtime=0))
    write("safetensors", "one_array", safetensors())
    for form in ("python2", "protocol2", "protocol4"):
        folder = FIXTURES / f"planetoid-{form}"
        parts = ["x", "y", "tx", "ty", "allx", "ally", "graph", "test.index"]
        files = {part: (folder / f"ind.tiny.{part}").read_bytes() for part in parts}
        write("planetoid", form, NEXT_FILE.join(files.values()))
        for part in ("graph", "allx", "ally"):
            write("pickle", f"{form}-{part}", files[part])
    sizes = [file.stat().st_size for file in CORPUS.rglob("*") if file.is_file()]
    print(f"{CORPUS}: {len(sizes)} files, {sum(sizes)} bytes")


if __name__ == "__main__":
    main()

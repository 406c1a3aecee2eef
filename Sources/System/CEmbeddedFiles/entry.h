// An element of the array of files. FILE is the path of a file from this directory, which begins with "../../".
{&FILE[sizeof("../../") - 1], (const char[]){
#embed FILE suffix(, 0) if_empty(0)
}},
#undef FILE
